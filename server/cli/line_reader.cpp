#include "server/cli/line_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <vector>

#include "index/files.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

/// Undoes a compression, piece by piece.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Appends what `input` gives; false if it is broken.
  [[nodiscard]] virtual bool decode(std::string_view input, std::string& out) = 0;
  /// Whether the input may end here.
  [[nodiscard]] virtual bool complete() const = 0;
};

class Plain final : public Decoder {
 public:
  bool decode(std::string_view input, std::string& out) override {
    out += input;
    return true;
  }
  [[nodiscard]] bool complete() const override { return true; }
};

class Gzip final : public Decoder {
 public:
  Gzip() {
    constexpr int kGzipOnly = 16;
    ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  bool decode(std::string_view input, std::string& out) override {
    if (!ready_) return false;
    std::string bytes(input);  // zlib's interface has no const
    stream_.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    std::vector<Bytef> room(kBlock);
    do {
      if (complete_ && stream_.avail_in > 0 && inflateReset(&stream_) != Z_OK) return false;
      stream_.next_out = room.data();
      stream_.avail_out = static_cast<uInt>(room.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      complete_ = code == Z_STREAM_END;
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return false;
      out.append(reinterpret_cast<const char*>(room.data()), room.size() - stream_.avail_out);
    } while (stream_.avail_in > 0 || stream_.avail_out == 0);
    return true;
  }
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  z_stream stream_{};
  bool ready_ = false;
  bool complete_ = false;
};

class Zstd final : public Decoder {
 public:
  bool decode(std::string_view input, std::string& out) override {
    if (context_ == nullptr) return false;
    std::vector<char> room(ZSTD_DStreamOutSize());
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    for (bool full = false; full || in.pos < in.size;) {
      ZSTD_outBuffer produced{room.data(), room.size(), 0};
      const std::size_t left = ZSTD_decompressStream(context_.get(), &produced, &in);
      if (ZSTD_isError(left) != 0) return false;
      complete_ = left == 0;
      full = produced.pos == produced.size;
      out.append(room.data(), produced.pos);
    }
    return true;
  }
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
  };
  const std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
  bool complete_ = false;
};

std::unique_ptr<Decoder> decoder_for(std::string_view begin) {
  if (begin.starts_with(kGzip)) return std::make_unique<Gzip>();
  if (begin.starts_with(kZstd)) return std::make_unique<Zstd>();
  return std::make_unique<Plain>();
}

class FileLineReader final : public LineReader {
 public:
  FileLineReader(FileHandle file, int descriptor, std::string name, std::uint64_t total)
      : file_(std::move(file)), descriptor_(descriptor), name_(std::move(name)), total_(total) {}

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
        if (buffer_.empty()) return std::optional<std::string>();
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

  /// Reads until there is something, or the end.
  Result<std::size_t> read_block(char* into, std::size_t room) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, into, room);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return system_error(errno, name_, "read");
    }
  }

  Result<void> read_more() {
    block_.resize(kBlock);
    std::size_t size = 0;
    // The first block is to hold the magic bytes, however a pipe cuts them.
    const std::size_t least = decoder_ == nullptr ? kZstd.size() : 1;
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
    if (decoder_ == nullptr) decoder_ = decoder_for(bytes);
    if (!decoder_->decode(bytes, buffer_) || (ended_ && !decoder_->complete())) {
      return Error{Errc::corrupt, place(),
                   ended_ ? "the compressed file is cut off" : "the compression is broken",
                   "make the file again"};
    }
    return {};
  }

  const FileHandle file_;
  const int descriptor_;
  const std::string name_;
  const std::uint64_t total_;
  std::unique_ptr<Decoder> decoder_;
  std::vector<char> block_;
  std::string buffer_;  ///< from at_ on: decompressed, not given out yet
  std::size_t at_ = 0;
  std::uint64_t number_ = 0, read_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<LineReader>> LineReader::open(const std::filesystem::path& path) {
  const std::string name = ingest::display_name(path);
  FileHandle file;
  if (path != "-") file = FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int descriptor = path == "-" ? STDIN_FILENO : file.get();
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return system_error(errno, name, "open");
  if (S_ISDIR(status.st_mode)) return Error{Errc::invalid_argument, name, "is a folder", "name a file"};
  const std::uint64_t total = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  return std::unique_ptr<LineReader>(
      std::make_unique<FileLineReader>(std::move(file), descriptor, name, total));
}

}  // namespace akin::cli
