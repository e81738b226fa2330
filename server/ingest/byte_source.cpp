#include "server/ingest/byte_source.h"

#include <bzlib.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "extract/formats/formats.h"
#include "server/ingest/open_input.h"

namespace akin::ingest {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::size_t kPeek = 1024;

/// Decompresses streams of bzip2 one after another.
class Bzip2 {
 public:
  Bzip2() = default;
  ~Bzip2() { end(); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;

  /// Consumes bytes from the front of `input`; returns the number of bytes produced. Sets `ok` to false if
  /// they are not bzip2.
  std::size_t decode(std::string_view& input, char* into, std::size_t room, bool& ok) {
    if (!active_) {
      stream_ = {};
      active_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
      ok = active_;
      if (!ok) return 0;
    }
    stream_.next_in = const_cast<char*>(input.data());  // bzlib reads only
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = into;
    stream_.avail_out = static_cast<unsigned>(room);
    const int result = BZ2_bzDecompress(&stream_);
    input.remove_prefix(input.size() - stream_.avail_in);
    const std::size_t made = room - stream_.avail_out;
    if (result == BZ_STREAM_END) end();
    ok = result == BZ_OK || result == BZ_STREAM_END;
    return made;
  }

  [[nodiscard]] bool between_streams() const noexcept { return !active_; }

 private:
  void end() {
    if (std::exchange(active_, false)) BZ2_bzDecompressEnd(&stream_);
  }
  bz_stream stream_{};
  bool active_ = false;
};

class FileSource final : public ByteSource {
 public:
  explicit FileSource(OpenInput file) : file_(std::move(file)), block_(kBlock) {}

  /// Detects whether it is compressed: must be called first.
  Result<void> begin() {
    AKIN_CHECK(fill(extract::kBzip2Bytes));
    compressed_ = extract::is_bzip2(waiting_);
    return {};
  }

  Result<std::string_view> peek() override {
    while (peeked_.size() < kPeek) {
      const std::size_t before = peeked_.size();
      peeked_.resize(kPeek);
      Result<std::size_t> got = read_on(peeked_.data() + before, kPeek - before);
      peeked_.resize(before + (got.has_error() ? 0 : *got));
      AKIN_CHECK(got);
      if (*got == 0) break;
    }
    return std::string_view(peeked_);
  }

  Result<std::size_t> read(char* into, std::size_t room) override {
    if (given_ == peeked_.size()) return read_on(into, room);
    const std::size_t size = std::min(room, peeked_.size() - given_);
    std::memcpy(into, peeked_.data() + given_, size);
    given_ += size;
    return size;
  }

  std::uint64_t bytes_read() const noexcept override { return read_; }

 private:
  Result<std::size_t> read_on(char* into, std::size_t room) {
    for (;;) {
      AKIN_CHECK(fill(1));
      if (!compressed_) {
        const std::size_t size = std::min(room, waiting_.size());
        std::memcpy(into, waiting_.data(), size);
        waiting_.remove_prefix(size);
        return size;
      }
      if (waiting_.empty()) {
        if (decoder_.between_streams()) return std::size_t{0};
        return Error{Errc::corrupt, file_.name(), "the compressed file is truncated",
                     "copy or download it again"};
      }
      bool ok = true;
      const std::size_t made = decoder_.decode(waiting_, into, room, ok);
      if (!ok)
        return Error{Errc::corrupt, file_.name(), "the compressed data is damaged",
                     "copy or download it again"};
      if (made > 0) return made;
    }
  }

  /// Reads on if fewer than `least` bytes are waiting; fewer remain only at the end of the file.
  Result<void> fill(std::size_t least) {
    if (waiting_.size() >= least) return {};
    if (!waiting_.empty()) std::memmove(block_.data(), waiting_.data(), waiting_.size());
    std::size_t size = waiting_.size();
    while (size < least) {
      AKIN_TRY(const std::size_t got, file_.read(block_.data() + size, block_.size() - size));
      if (got == 0) break;
      size += got;
      read_ += got;
    }
    waiting_ = {block_.data(), size};
    return {};
  }

  const OpenInput file_;
  std::vector<char> block_;
  std::string_view waiting_;  ///< part of `block_`: read, but not yet given out
  bool compressed_ = false;
  Bzip2 decoder_;
  std::string peeked_;
  std::size_t given_ = 0;  ///< bytes of `peeked_` given out
  std::uint64_t read_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::filesystem::path& path) {
  AKIN_TRY(OpenInput file, OpenInput::open(path));
  auto source = std::make_unique<FileSource>(std::move(file));
  AKIN_CHECK(source->begin());
  return std::unique_ptr<ByteSource>(std::move(source));
}

}  // namespace akin::ingest
