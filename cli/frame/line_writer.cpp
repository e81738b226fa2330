#include "cli/frame/line_writer.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_lock.h"
#include "base/files.h"
#include "base/visible_text.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

/// Compresses a stream of bytes.
class Compressor {
 public:
  using Sink = std::function<Result<void>(std::string_view)>;

  Compressor() = default;
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  virtual ~Compressor() = default;
  /// Passes what is compressed so far to `sink`; with `end` everything, and nothing may follow.
  virtual Result<void> compress(std::string_view bytes, bool end, const Sink& sink) = 0;
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : context_(ZSTD_createCCtx()) {
    if (context_) ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  Result<void> compress(std::string_view bytes, bool end, const Sink& sink) override {
    if (!context_) return Error{Errc::internal, "zstd", "out of memory", ""};
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (std::size_t left = 1; left != 0 && (end || in.pos < in.size);) {
      ZSTD_outBuffer produced{room_.data(), room_.size(), 0};
      left = ZSTD_compressStream2(context_.get(), &produced, &in, end ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) return Error{Errc::internal, "zstd", ZSTD_getErrorName(left), ""};
      AKIN_CHECK(sink({room_.data(), produced.pos}));
      if (!end) left = 1;
    }
    return {};
  }

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, FreeContext> context_;
  std::vector<char> room_ = std::vector<char>(ZSTD_CStreamOutSize());
};

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    constexpr int kGzipHeader = 16;
    constexpr int kUsualMemory = 8;
    is_open_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader,
                            kUsualMemory, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~GzipCompressor() override {
    if (is_open_) deflateEnd(&stream_);
  }

  Result<void> compress(std::string_view bytes, bool end, const Sink& sink) override {
    if (!is_open_) return Error{Errc::internal, "gzip", "out of memory", ""};
    constexpr std::size_t kMost = std::size_t{1} << 30U;  // zlib counts in 32 bits
    do {
      const std::string_view some = bytes.substr(0, kMost);
      bytes.remove_prefix(some.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(some.data()));
      stream_.avail_in = static_cast<uInt>(some.size());
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
        stream_.avail_out = static_cast<uInt>(room_.size());
        deflate(&stream_, end && bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
        AKIN_CHECK(sink({room_.data(), room_.size() - stream_.avail_out}));
      } while (stream_.avail_out == 0);
    } while (!bytes.empty());
    return {};
  }

 private:
  z_stream stream_{};
  bool is_open_ = false;
  std::vector<char> room_ = std::vector<char>(kBufferBytes);
};

std::unique_ptr<Compressor> make_compressor(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipCompressor>();
    case Compression::zstd:
      return std::make_unique<ZstdCompressor>();
    case Compression::none:
      break;
  }
  return nullptr;
}

class FileLineWriter final : public LineWriter {
 public:
  FileLineWriter(std::filesystem::path path, FileHandle file, std::unique_ptr<Compressor> compressor)
      : path_(std::move(path)), file_(std::move(file)), compressor_(std::move(compressor)) {}
  ~FileLineWriter() override {
    if (!finished_ && is_renamed_ && is_still_at(file_, temporary(path_))) unlink(temporary(path_).c_str());
  }
  FileLineWriter(const FileLineWriter&) = delete;
  FileLineWriter& operator=(const FileLineWriter&) = delete;

  /// Whether what has this name is a device or a pipe: it is written to, not replaced.
  static bool is_special(const std::filesystem::path& path) {
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    return exists(status) && !is_regular_file(status) && !is_directory(status);
  }
  static std::filesystem::path temporary(std::filesystem::path path) { return path += ".tmp"; }

  Result<void> write(std::string_view line) override {
    if (terminal_) {
      buffer_ += visible_text(line);
    } else {
      buffer_ += line;
    }
    return buffer_.size() < kBufferBytes ? Result<void>() : hand_over(false);
  }

  [[nodiscard]] bool lost() const noexcept override { return lost_; }

  Result<void> finish() override {
    AKIN_CHECK(hand_over(true));
    if (!is_renamed_) return {};
    if (fsync(file_.get()) != 0) return system_error(errno, ingest::display_name(path_), "write");
    if (!is_still_at(file_, temporary(path_))) {
      return Error{Errc::precondition_failed, ingest::display_name(temporary(path_)),
                   "was replaced or removed while it was written", "repeat the command"};
    }
    if (std::rename(temporary(path_).c_str(), path_.c_str()) != 0)
      return system_error(errno, ingest::display_name(path_), "replace");
    finished_ = true;
    return sync_folder(path_.has_parent_path() ? path_.parent_path() : ".");
  }

 private:
  [[nodiscard]] bool to_file() const { return path_ != "-"; }

  Result<void> hand_over(bool end) {
    const std::string bytes = std::exchange(buffer_, {});
    if (compressor_ == nullptr) return write_out(bytes);
    return compressor_->compress(bytes, end, [this](std::string_view some) { return write_out(some); });
  }

  Result<void> write_out(std::string_view bytes) {
    while (!bytes.empty() && !lost_) {
      const ssize_t written = ::write(to_file() ? file_.get() : STDOUT_FILENO, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0 && errno == EPIPE && !to_file()) {
        lost_ = true;
        return {};
      }
      if (written < 0)
        return system_error(errno, to_file() ? ingest::display_name(path_) : "standard output", "write");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  const std::filesystem::path path_;
  const FileHandle file_;
  const std::unique_ptr<Compressor> compressor_;             ///< null: the file is plain
  const bool is_renamed_ = to_file() && !is_special(path_);  ///< at the end
  const bool terminal_ = !to_file() && ::isatty(STDOUT_FILENO) == 1;
  std::string buffer_;
  bool finished_ = false;
  bool lost_ = false;
};

}  // namespace

Compression compression_of(const std::filesystem::path& path) {
  const std::string end = path.extension().native();
  return end == ".gz" ? Compression::gzip : end == ".zst" ? Compression::zstd : Compression::none;
}

Result<void> check_is_not_read(const std::string& what, const std::filesystem::path& out,
                               const std::vector<std::filesystem::path>& read) {
  std::error_code failure;  // a path that cannot be looked at is not the same
  for (const std::filesystem::path& path : read) {
    const std::filesystem::path file = path == "-" ? "/dev/stdin" : path;
    if (!std::filesystem::is_regular_file(file, failure) || !std::filesystem::equivalent(file, out, failure))
      continue;
    return Error{Errc::invalid_argument, what, "is a file that is read: what is dropped would be gone",
                 "name another file"};
  }
  return {};
}

Result<std::unique_ptr<LineWriter>> LineWriter::open(const std::filesystem::path& path,
                                                     Compression compression) {
  FileHandle file;
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure))
    return Error{Errc::invalid_argument, ingest::display_name(path), "is a folder", "name a file"};
  if (path != "-" && FileLineWriter::is_special(path)) {
    file = FileHandle(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) return system_error(errno, ingest::display_name(path), "open");
  } else if (path != "-") {
    const std::filesystem::path temporary = FileLineWriter::temporary(path);
    AKIN_TRY(file, open_alone(temporary, {Errc::busy, ingest::display_name(path), "is being written already",
                                          "wait until the other run has ended, or name another file"}));
    if (ftruncate(file.get(), 0) != 0) return system_error(errno, ingest::display_name(temporary), "empty");
  }
  return std::unique_ptr<LineWriter>(
      std::make_unique<FileLineWriter>(path, std::move(file), make_compressor(compression)));
}

}  // namespace akin::cli
