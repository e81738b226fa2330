#include "server/judge/stream_state.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/json/json.h"

namespace akin::judge {

namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr std::string_view kPrefix = "window-";
constexpr std::string_view kSuffix = ".ndjson";
constexpr const char* kEnded = "files.ndjson";
constexpr const char* kLock = "lock";
/// The line itself is the end of a record; quotation marks in strings are escaped, so nothing else has this.
constexpr std::string_view kDocument = ",\"document\":";
constexpr std::uint64_t kPartBytes = std::uint64_t{16} << 20;
constexpr mode_t kFileMode = 0600;
constexpr std::int64_t kPerSecond = 1'000'000;

Error io_error(const fs::path& path, const std::error_code& failure) {
  return {Errc::io, path.string(), failure.message(), "--state names another folder"};
}

Error corrupt(const fs::path& path) {
  return {Errc::corrupt, path.string(), "is not what a stream wrote",
          "delete the folder of --state: the window is then empty"};
}

Result<FileHandle> open_to_append(const fs::path& path) {
  FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kFileMode));
  if (file.get() < 0) return system_error(errno, path.string(), "open");
  AKIN_CHECK(sync_folder(path.parent_path()));
  return file;
}

Result<void> append(const FileHandle& file, std::string& bytes, const fs::path& path) {
  AKIN_CHECK(write_all(file, bytes, path.string()));
  if (::fdatasync(file.get()) != 0) return system_error(errno, path.string(), "write");
  bytes.clear();
  return {};
}

/// Cuts off a line that a killed process began, or of which a power failure left zeros; returns the bytes
/// that remain.
Result<std::uint64_t> trim(const fs::path& path, std::string_view content) {
  const std::size_t kept = content.substr(0, content.find('\0')).rfind('\n') + 1;  // npos + 1 is 0
  std::error_code failure;
  if (kept < content.size()) fs::resize_file(path, kept, failure);
  if (failure) return io_error(path, failure);
  return kept;
}

}  // namespace

Result<std::unique_ptr<StreamState>> StreamState::open(const fs::path& folder, const WindowOptions& window) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return io_error(folder, failure);
  AKIN_CHECK(sync_folder(fs::absolute(folder).parent_path()));
  if (!fs::exists(folder / kLock, failure)) AKIN_CHECK(replace_file(folder / kLock, ""));
  AKIN_TRY(FileLock lock, FileLock::exclusive(folder / kLock, std::chrono::milliseconds(0),
                                              "another stream with this --state"));
  std::unique_ptr<StreamState> state(new StreamState(folder, std::move(lock), window));
  AKIN_CHECK(state->list_parts());
  AKIN_CHECK(state->read_ended());
  return state;
}

fs::path StreamState::path_of(const Part& part) const {
  constexpr std::size_t kDigits = 8;  // more where there are more
  const std::string number = std::to_string(part.number);
  const std::string zeros(kDigits - std::min(number.size(), kDigits), '0');
  return folder_ / (std::string(kPrefix) + zeros + number + std::string(kSuffix));
}

Result<void> StreamState::list_parts() {
  std::error_code failure;
  for (fs::directory_iterator entry(folder_, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    Part part;
    const char* const last = name.data() + name.size() - kSuffix.size();
    const auto read = std::from_chars(name.data() + kPrefix.size(), last, part.number);
    if (read.ec == std::errc() && read.ptr == last) parts_.push_back(part);
  }
  if (failure) return io_error(folder_, failure);
  std::ranges::sort(parts_, {}, &Part::number);
  if (parts_.empty()) {
    parts_.emplace_back();
    is_read_ = true;
    return {};
  }
  const fs::path last = path_of(parts_.back());
  AKIN_TRY(const std::string content, read_whole_file(last));
  AKIN_TRY(part_bytes_, trim(last, content));
  return {};
}

Result<void> StreamState::read_ended() {
  const fs::path path = folder_ / kEnded;
  std::error_code failure;
  if (!fs::exists(path, failure)) return {};
  AKIN_TRY(const std::string content, read_whole_file(path));
  AKIN_TRY(const std::uint64_t kept, trim(path, content));
  for (std::size_t at = 0; at < kept;) {
    const std::size_t end = content.find('\n', at);
    const Json name = Json::parse(content.begin() + static_cast<std::ptrdiff_t>(at),
                                  content.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!name.is_string()) return corrupt(path);
    ended_.insert(name.get<std::string>());
    at = end + 1;
  }
  return {};
}

void StreamState::count(Part& part, std::int64_t time) {
  ++part.documents;
  part.latest = std::max(part.latest, time);
  latest_ = std::max(latest_, time);
}

Result<std::optional<NumberedLine>> StreamState::next_known() {
  if (is_read_) return std::optional<NumberedLine>();
  while (at_ == read_.size()) {
    if (next_part_ == parts_.size()) {
      read_ = {};
      is_read_ = true;
      return std::optional<NumberedLine>();
    }
    AKIN_TRY(read_, read_whole_file(path_of(parts_[next_part_++])));
    at_ = 0;
  }
  Part& part = parts_[next_part_ - 1];
  const std::size_t end = read_.find('\n', at_);
  if (end == std::string::npos) return corrupt(path_of(part));
  AKIN_TRY(NumberedLine line, known_line(part, std::string_view(read_).substr(at_, end - at_)));
  at_ = end + 1;
  return std::optional(std::move(line));
}

Result<NumberedLine> StreamState::known_line(Part& part, std::string_view record) {
  const std::size_t at = record.find(kDocument);
  if (at == record.npos || !record.ends_with('}')) return corrupt(path_of(part));
  const Json about = Json::parse(std::string(record.substr(0, at)) + "}", nullptr, false);
  const auto text = [&](const char* field) {
    const auto found = about.find(field);
    return found != about.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto number = [&](const char* field) {
    const auto found = about.find(field);
    return found != about.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
  };
  if (!about.is_object() || text("group").empty()) return corrupt(path_of(part));
  const std::int64_t time = number("time");
  NumberedLine line;
  line.known = true;
  line.story = Story{text("group"), text("first"), number("first_time"),
                     about.value("has_time", Json()) == Json(true), text("first_source")};
  line.stored = static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0) * kPerSecond);
  line.text = record.substr(at + kDocument.size(), record.size() - at - kDocument.size() - 1);
  if (const std::string file = text("file"); !file.empty())
    lines_taken_[file] = static_cast<std::uint64_t>(number("line"));
  count(part, time);
  return line;
}

std::uint64_t StreamState::lines_taken(const std::string& file) const {
  const auto found = lines_taken_.find(file);
  return found == lines_taken_.end() ? 0 : found->second;
}

void StreamState::add(const NumberedLine& line, std::int64_t time, const Story* story) {
  if (story != nullptr) {
    Json about = {{"time", time},
                  {"group", story->group},
                  {"first", story->first},
                  {"first_time", story->first_time},
                  {"has_time", story->has_time},
                  {"first_source", story->first_source}};
    if (!line.file.empty()) {
      about["file"] = line.file;
      about["line"] = line.number;
    }
    std::string record = json::compact(about);
    record.pop_back();
    documents_.append(record).append(kDocument).append(line.text).append("}\n");
    count(parts_.back(), time);
  }
  if (line.ends_file) files_ += json::compact(Json(line.file)) + "\n";
}

Result<void> StreamState::flush() {
  if (!documents_.empty()) {
    if (open_part_.get() < 0) {
      AKIN_TRY(open_part_, open_to_append(path_of(parts_.back())));
    }
    part_bytes_ += documents_.size();
    AKIN_CHECK(append(open_part_, documents_, path_of(parts_.back())));
    if (part_bytes_ > kPartBytes) AKIN_CHECK(turn_over());
  }
  if (!files_.empty()) {
    if (open_ended_.get() < 0) {
      AKIN_TRY(open_ended_, open_to_append(folder_ / kEnded));
    }
    AKIN_CHECK(append(open_ended_, files_, folder_ / kEnded));
  }
  return {};
}

Result<void> StreamState::turn_over() {
  parts_.push_back({parts_.back().number + 1});
  open_part_ = FileHandle();
  part_bytes_ = 0;
  std::uint64_t after = 0;
  for (const Part& part : parts_) after += part.documents;
  while (parts_.size() > 1) {
    const Part& first = parts_.front();
    after -= first.documents;
    if (first.latest >= latest_ - window_.seconds && after < window_.documents) break;
    std::error_code failure;
    fs::remove(path_of(first), failure);
    if (failure) return io_error(path_of(first), failure);
    parts_.erase(parts_.begin());
  }
  return {};
}

}  // namespace akin::judge
