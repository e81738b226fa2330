#include "server/cli/frame/file_line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "server/ingest/content_coding.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

/// The user chose the file, so the limit is zstd's own default.
constexpr int kWindowLog = 27;

ingest::Coding coding_of(std::string_view begin) {
  if (begin.starts_with(kGzip)) return ingest::Coding::gzip;
  if (begin.starts_with(kZstd)) return ingest::Coding::zstd;
  return ingest::Coding::identity;
}

class OpenedFileLines final : public FileLineReader {
 public:
  OpenedFileLines(FileHandle file, int descriptor, std::string name, std::uint64_t total,
                  const std::atomic<bool>* stop)
      : file_(std::move(file)), descriptor_(descriptor), name_(std::move(name)), total_(total), stop_(stop) {}

  Result<std::optional<std::string>> next() override {
    ++number_;
    for (std::size_t seen = at_;;) {
      const std::size_t end = buffer_.find('\n', seen);
      if (end != std::string::npos) {
        std::string line = buffer_.substr(at_, end - at_);
        at_ = end + 1;
        return std::optional(std::move(line));
      }
      buffer_.erase(0, std::exchange(at_, 0));
      seen = buffer_.size();
      if (seen > kMaxLineBytes) {
        return Error{Errc::too_large, place(), "longer than " + std::to_string(kMaxLineBytes) + " bytes",
                     "split it: a line is one document"};
      }
      if (ended_) {
        if (buffer_.empty() || stopped_) return std::optional<std::string>();
        return std::optional(std::exchange(buffer_, {}));
      }
      AKIN_CHECK(read_more());
    }
  }

  std::uint64_t number() const noexcept override { return number_; }
  std::uint64_t bytes_read() const noexcept override { return read_; }
  std::uint64_t bytes_total() const noexcept override { return total_; }

 private:
  [[nodiscard]] std::string place() const { return name_ + " line " + std::to_string(number_); }

  /// Waits until there is input, or until a stop is requested; returns true for a stop.
  bool wait_or_stop() {
    constexpr int kPatience = 100;  // ms
    pollfd input{descriptor_, POLLIN, 0};
    while (!stop_->load()) {
      if (::poll(&input, 1, kPatience) > 0) return false;
    }
    return true;
  }

  /// Waits for input and reads it; 0 is the end of the file or a stop.
  Result<std::size_t> read_block(char* into, std::size_t room) {
    for (;;) {
      if (stop_ != nullptr && wait_or_stop()) {
        stopped_ = true;
        return std::size_t{0};
      }
      const ssize_t got = ::read(descriptor_, into, room);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return system_error(errno, name_, "read");
    }
  }

  Result<void> read_more() {
    block_.resize(kBlock);
    std::size_t size = 0;
    // The first block must hold the magic bytes, however a pipe splits them.
    const std::size_t least = begun_ ? 1 : kZstd.size();
    while (size < least) {
      AKIN_TRY(const std::size_t got, read_block(block_.data() + size, block_.size() - size));
      if (got == 0) {
        ended_ = true;
        break;
      }
      size += got;
    }
    read_ += size;
    const std::string_view bytes(block_.data(), size);
    if (!std::exchange(begun_, true)) {
      AKIN_TRY(decoder_, ingest::make_decoder(coding_of(bytes), kWindowLog));
    }
    if (decoder_ == nullptr) {
      buffer_ += bytes;
      return {};
    }
    if (stopped_) return {};
    if (decode(bytes).has_error() || (ended_ && !decoder_->complete())) {
      return Error{Errc::corrupt, place(),
                   ended_ ? "the compressed file is cut off" : "the compressed data are corrupt",
                   "create the file again"};
    }
    return {};
  }

  Result<void> decode(std::string_view encoded) {
    for (bool full = false; full || !encoded.empty();) {
      const std::size_t before = buffer_.size();
      buffer_.resize(before + kBlock);
      const auto step = decoder_->decode(encoded, std::span(buffer_).subspan(before));
      buffer_.resize(before + (step.has_error() ? 0 : step->produced));
      AKIN_CHECK(step);
      encoded.remove_prefix(step->consumed);
      full = step->produced == kBlock;
    }
    return {};
  }

  const FileHandle file_;
  const int descriptor_;
  const std::string name_;
  const std::uint64_t total_;
  bool begun_ = false;
  std::unique_ptr<ingest::Decoder> decoder_;  ///< null: the file is plain
  std::vector<char> block_;
  std::string buffer_;  ///< from at_ on: decompressed, not returned yet
  std::size_t at_ = 0;
  std::uint64_t number_ = 0, read_ = 0;
  bool ended_ = false;
  const std::atomic<bool>* stop_;  ///< null: reading is never stopped
  bool stopped_ = false;
};

}  // namespace

Result<std::unique_ptr<FileLineReader>> FileLineReader::open(const std::filesystem::path& path,
                                                             const std::atomic<bool>* stop) {
  const std::string name = ingest::display_name(path);
  FileHandle file;
  if (path != "-") file = FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int descriptor = path == "-" ? STDIN_FILENO : file.get();
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return system_error(errno, name, "open");
  if (S_ISDIR(status.st_mode)) return Error{Errc::invalid_argument, name, "is a folder", "name a file"};
  const std::uint64_t total = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  return std::unique_ptr<FileLineReader>(
      std::make_unique<OpenedFileLines>(std::move(file), descriptor, name, total, stop));
}

}  // namespace akin::cli
