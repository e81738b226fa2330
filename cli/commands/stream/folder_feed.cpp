#include "cli/commands/stream/folder_feed.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "cli/dedup/input.h"
#include "server/ingest/document_feed.h"
#include "server/json/json.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;
using judge::NumberedLine;

constexpr std::chrono::milliseconds kPoll(200);
constexpr std::chrono::milliseconds kNap(50);  ///< how soon a stop is noticed
constexpr std::chrono::seconds kAtRest(1);

NumberedLine line_of(const OwnedDocument& document) {
  json::Json value = {{"id", document.id}, {"title", document.title}, {"text", document.text}};
  json::Json metadata = json::Json::parse(document.metadata, nullptr, false);
  if (metadata.is_object()) value["metadata"] = std::move(metadata);
  NumberedLine line;
  line.text = json::compact(value);
  return line;
}

NumberedLine refused_line(Error error) {
  NumberedLine line;
  line.error = std::move(error);
  return line;
}

}  // namespace

Result<void> FolderFeed::list_files() {
  AKIN_TRY(ingest::InputList found, ingest::collect_inputs({folder_}, "", ""));
  struct Written {
    fs::file_time_type at;
    ingest::InputFile file;
  };
  std::vector<Written> written;
  const auto now = fs::file_time_type::clock::now();
  for (ingest::InputFile& file : found.files) {
    if (seen_.contains(file.id) || (state_ != nullptr && state_->has_ended(file.id))) continue;
    std::error_code failure;
    const auto at = fs::last_write_time(file.path, failure);
    if (failure || (follow_ && at > now - kAtRest)) continue;  // it was removed, or is being written
    written.push_back({at, std::move(file)});
  }
  std::ranges::stable_sort(written, {}, &Written::at);
  for (Written& one : written) {
    seen_.insert(one.file.id);
    files_.push_back(std::move(one.file));
  }
  return {};
}

void FolderFeed::open(const ingest::InputFile& file) {
  file_ = file.id;
  taken_ = state_ == nullptr ? 0 : state_->lines_taken(file.id);
  if (dedup::is_lines(file.path)) {
    auto opened = FileLineReader::open(file.path);
    if (opened.has_error()) {
      lines_.push_back(refused_line(opened.error()));
      return;
    }
    reader_ = *std::move(opened);
    read_line();
    return;
  }
  const std::vector<ingest::InputFile> one{file};
  ingest::DocumentFeed feed(one, {},
                            [this](Error error) { lines_.push_back(refused_line(std::move(error))); });
  while (const auto document = feed.next()) lines_.push_back(line_of(*document));
  for (std::size_t at = 0; at < lines_.size(); ++at) lines_[at].number = at + 1;
}

void FolderFeed::read_line() {
  for (;;) {
    auto line = reader_->next();
    if (line.has_error()) lines_.push_back(refused_line(line.error()));
    if (line.has_error() || !*line) {
      reader_.reset();
      return;
    }
    if (is_blank(**line)) continue;
    NumberedLine& read = lines_.emplace_back();
    read.number = reader_->number();
    read.text = **std::move(line);
    return;
  }
}

Result<std::optional<NumberedLine>> FolderFeed::next(const std::function<bool()>& stopped) {
  while (!stopped()) {
    if (reader_ != nullptr) read_line();
    if (!lines_.empty()) {
      NumberedLine line = std::move(lines_.front());
      lines_.pop_front();
      line.file = file_;
      line.ends_file = reader_ == nullptr && lines_.empty();
      if (line.number <= taken_ && !line.error && !line.ends_file) continue;
      return std::optional(std::move(line));
    }
    if (files_.empty()) AKIN_CHECK(list_files());
    if (!files_.empty()) {
      const ingest::InputFile file = std::move(files_.front());
      files_.pop_front();
      open(file);
    } else if (follow_) {
      for (auto left = kPoll; left > left.zero() && !stopped(); left -= kNap)
        std::this_thread::sleep_for(kNap);
    } else {
      break;
    }
  }
  return std::optional<NumberedLine>();
}

}  // namespace akin::cli
