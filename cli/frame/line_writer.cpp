#include "cli/frame/line_writer.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/visible_text.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr mode_t kFileMode = 0644;

class FileLineWriter final : public LineWriter {
 public:
  struct FreeContext {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  };
  using Compressor = std::unique_ptr<ZSTD_CCtx, FreeContext>;

  FileLineWriter(std::filesystem::path path, FileHandle file, Compressor compressor)
      : path_(std::move(path)), file_(std::move(file)), compressor_(std::move(compressor)) {}
  ~FileLineWriter() override {
    if (!finished_ && to_file()) unlink(temporary(path_).c_str());
  }
  FileLineWriter(const FileLineWriter&) = delete;
  FileLineWriter& operator=(const FileLineWriter&) = delete;

  static std::filesystem::path temporary(std::filesystem::path path) { return path += ".tmp"; }

  Result<void> write(std::string_view line) override {
    if (terminal_) {
      buffer_ += visible_text(line);
    } else {
      buffer_ += line;
    }
    return buffer_.size() < kBufferBytes ? Result<void>() : hand_over(ZSTD_e_continue);
  }

  [[nodiscard]] bool lost() const noexcept override { return lost_; }

  Result<void> finish() override {
    AKIN_CHECK(hand_over(ZSTD_e_end));
    finished_ = true;
    if (!to_file()) return {};
    if (fsync(file_.get()) != 0) return system_error(errno, ingest::display_name(path_), "write");
    if (std::rename(temporary(path_).c_str(), path_.c_str()) != 0)
      return system_error(errno, ingest::display_name(path_), "replace");
    return sync_folder(path_.has_parent_path() ? path_.parent_path() : ".");
  }

 private:
  [[nodiscard]] bool to_file() const { return path_ != "-"; }

  Result<void> hand_over(ZSTD_EndDirective directive) {
    const std::string bytes = std::exchange(buffer_, {});
    if (compressor_ == nullptr) return write_out(bytes);
    std::vector<char> room(ZSTD_CStreamOutSize());
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (std::size_t left = 1; left != 0 && (directive == ZSTD_e_end || in.pos < in.size);) {
      ZSTD_outBuffer produced{room.data(), room.size(), 0};
      left = ZSTD_compressStream2(compressor_.get(), &produced, &in, directive);
      if (ZSTD_isError(left) != 0) return Error{Errc::internal, "zstd", ZSTD_getErrorName(left), ""};
      AKIN_CHECK(write_out({room.data(), produced.pos}));
      if (directive == ZSTD_e_continue) left = 1;
    }
    return {};
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
  const Compressor compressor_;
  const bool terminal_ = !to_file() && ::isatty(STDOUT_FILENO) == 1;
  std::string buffer_;
  bool finished_ = false;
  bool lost_ = false;
};

}  // namespace

Result<std::unique_ptr<LineWriter>> LineWriter::open(const std::filesystem::path& path, bool zstd) {
  FileHandle file;
  if (path != "-") {
    const std::filesystem::path temporary = FileLineWriter::temporary(path);
    file = FileHandle(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
    if (file.get() < 0) return system_error(errno, ingest::display_name(temporary), "make");
  }
  FileLineWriter::Compressor compressor;
  if (zstd) {
    compressor.reset(ZSTD_createCCtx());
    if (compressor == nullptr) return Error{Errc::internal, "zstd", "out of memory", ""};
    ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_checksumFlag, 1);
  }
  return std::unique_ptr<LineWriter>(
      std::make_unique<FileLineWriter>(path, std::move(file), std::move(compressor)));
}

}  // namespace akin::cli
