#include "server/tasks/result_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace akin::tasks {

namespace {
constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr const char* kWhat = "result of the task";
constexpr std::string_view kSuffix = ".ndjson";
constexpr std::string_view kPart = ".part";

Result<FileHandle> open_to_read(const std::filesystem::path& path) {
  FileHandle handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (handle.get() < 0) return system_error(errno, kWhat, "open the file");
  return handle;
}

Result<std::string> read_bytes(int file, std::uint64_t begin, std::uint64_t end) {
  std::string bytes(end - begin, '\0');
  AKIN_TRY(const std::size_t got, read_at(file, begin, bytes, kWhat));
  if (got < bytes.size()) return Error{Errc::io, kWhat, "the file was cut short", "run the task again"};
  return bytes;
}

}  // namespace

Result<ResultLines> ResultLines::make(const std::filesystem::path& folder, std::string_view name,
                                      std::uint64_t max_bytes) {
  std::filesystem::path path = folder / (std::string(name) + std::string(kSuffix) + std::string(kPart));
  FileHandle handle(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (handle.get() < 0) return system_error(errno, kWhat, "create the file");
  return ResultLines(std::move(handle), std::move(path), max_bytes);
}

Result<ResultLines> ResultLines::open(const std::filesystem::path& folder, std::string_view name) {
  std::filesystem::path path = folder / (std::string(name) + std::string(kSuffix));
  AKIN_TRY(FileHandle handle, open_to_read(path));
  ResultLines lines(std::move(handle), std::move(path), 0);
  AKIN_CHECK(lines.find_places());
  lines.file_ = FileHandle();
  return lines;
}

Result<void> ResultLines::find_places() {
  std::string block(kBufferBytes, '\0');
  bool at_start = true;
  for (;;) {
    AKIN_TRY(const std::size_t got, read_at(file_.get(), bytes_, block, kWhat));
    if (got == 0) return {};
    for (std::size_t i = 0; i < got; ++i) {
      if (at_start && lines_ % kStride == 0) places_.push_back(bytes_ + i);
      at_start = block[i] == '\n';
      if (at_start) ++lines_;
    }
    bytes_ += got;
  }
}

void ResultLines::remove(const std::filesystem::path& folder, std::string_view name) noexcept {
  std::error_code ignored;
  const std::string whole = std::string(name) + std::string(kSuffix);
  std::filesystem::remove(folder / whole, ignored);
  std::filesystem::remove(folder / (whole + std::string(kPart)), ignored);
}

Error ResultLines::too_large(std::uint64_t max_bytes) {
  return Error{Errc::too_large, kWhat, "more than " + std::to_string(max_bytes) + " bytes",
               "request less, for example with a higher bound"};
}

Result<void> ResultLines::finish() {
  AKIN_CHECK(flush());
  if (::fsync(file_.get()) != 0) return system_error(errno, kWhat, "write");
  file_ = FileHandle();
  std::string().swap(buffer_);
  std::filesystem::path whole = path_;
  whole.replace_extension();
  std::error_code failure;
  std::filesystem::rename(path_, whole, failure);
  if (failure) return system_error(failure.value(), kWhat, "rename the file");
  path_ = std::move(whole);
  return sync_folder(path_.parent_path());
}

Result<void> ResultLines::write(std::string_view text) {
  if (bytes_ + text.size() + 1 > max_bytes_) return too_large(max_bytes_);
  if (lines_ % kStride == 0) places_.push_back(bytes_);
  ++lines_;
  bytes_ += text.size() + 1;
  buffer_ += text;
  buffer_ += '\n';
  if (buffer_.size() < kBufferBytes) return {};
  return flush();
}

Result<void> ResultLines::flush() {
  AKIN_CHECK(write_all(file_, buffer_, kWhat));
  buffer_.clear();
  return {};
}

Result<std::string> ResultLines::page(std::uint64_t offset, std::uint64_t limit) const {
  const std::uint64_t first = std::min(offset, lines_);
  const std::uint64_t last = first + std::min(limit, lines_ - first);
  if (first == last) return std::string();
  const std::uint64_t end = (last + kStride - 1) / kStride;
  AKIN_TRY(const FileHandle file, open_to_read(path_));
  AKIN_TRY(std::string bytes,
           read_bytes(file.get(), places_[first / kStride], end < places_.size() ? places_[end] : bytes_));
  std::size_t at = 0;
  for (std::uint64_t skip = first % kStride; skip > 0; --skip) at = bytes.find('\n', at) + 1;
  bytes.erase(0, at);
  at = 0;
  for (std::uint64_t keep = last - first; keep > 0; --keep) at = bytes.find('\n', at) + 1;
  bytes.resize(at);
  return bytes;
}

}  // namespace akin::tasks
