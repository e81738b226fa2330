#include "cli/commands/stream/folder_feed.h"

#include <algorithm>
#include <system_error>
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

constexpr std::chrono::milliseconds kNap(50);  ///< how soon a stop is noticed
constexpr std::chrono::seconds kAtRest(1);
/// The whole folder is listed so often, as network file systems do not report what others put there.
constexpr std::chrono::seconds kListEvery(60);
constexpr std::chrono::seconds kListUnwatched(1);  ///< where the system did not report all

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

void FolderFeed::take(ingest::InputList found, const std::string& prefix, bool is_whole) {
  for (ingest::InputFile& file : found.files) {
    file.id = prefix + file.id;
    if (state_ != nullptr && state_->has_ended(file.id)) continue;
    if (seen_.insert(file.id).second) waiting_.push_back({std::move(file), is_whole});
  }
}

Result<void> FolderFeed::list_files() {
  if (follow_ && (!watch_ || is_incomplete_)) watch_.emplace(folder_);
  listed_ = std::chrono::steady_clock::now();
  is_incomplete_ = false;
  AKIN_TRY(ingest::InputList found, ingest::collect_inputs({folder_}, "", ""));
  take(std::move(found), "", !follow_);
  return {};
}

Result<void> FolderFeed::await_files() {
  const auto arrived = watch_->arrivals(kNap);
  is_incomplete_ = is_incomplete_ || !arrived;
  if (std::chrono::steady_clock::now() - listed_ > (is_incomplete_ ? kListUnwatched : kListEvery))
    return list_files();
  if (!arrived) return {};
  for (const FolderWatch::Arrival& one : *arrived) {
    std::error_code failure;
    const bool is_folder = fs::is_directory(one.path, failure);
    if (is_folder ? fs::is_symlink(one.path, failure) : !fs::is_regular_file(one.path, failure)) continue;
    auto found = ingest::collect_inputs({one.path}, "", "");
    if (found.has_error()) continue;  // it is gone
    const std::string id = one.path.lexically_relative(folder_).generic_string();
    const std::string prefix = is_folder ? id + '/' : id.substr(0, id.rfind('/') + 1);
    take(*std::move(found), prefix, one.is_renamed && !is_folder);
  }
  return {};
}

void FolderFeed::queue_waiting() {
  struct Written {
    fs::file_time_type at;
    ingest::InputFile file;
  };
  std::vector<Written> written;
  const auto now = fs::file_time_type::clock::now();
  std::erase_if(waiting_, [&](Waiting& one) {
    std::error_code failure;
    const auto at = fs::last_write_time(one.file.path, failure);
    if (!failure && !one.is_whole && at > now - kAtRest) return false;
    if (failure) {
      seen_.erase(one.file.id);
    } else {
      written.push_back({at, std::move(one.file)});
    }
    return true;
  });
  std::ranges::stable_sort(written, {}, &Written::at);
  for (Written& one : written) files_.push_back(std::move(one.file));
}

void FolderFeed::open(const ingest::InputFile& file) {
  file_ = file.id;
  taken_ = state_ == nullptr ? 0 : state_->lines_taken(file.id);
  if (is_lines(file.path)) {
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
    if (files_.empty()) {
      if (listed_ == decltype(listed_)()) {
        AKIN_CHECK(list_files());
      } else if (follow_) {
        AKIN_CHECK(await_files());
      } else {
        break;
      }
      queue_waiting();
      continue;
    }
    const ingest::InputFile file = std::move(files_.front());
    files_.pop_front();
    open(file);
  }
  return std::optional<NumberedLine>();
}

}  // namespace akin::cli
