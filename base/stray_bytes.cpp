#include "base/stray_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <zstd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "base/cyrillic_text.h"
#include "base/files.h"
#include "base/page_dictionaries.h"

namespace akin {

namespace {

constexpr std::string_view kFrameMagic("\x28\xb5\x2f\xfd", 4);
constexpr std::size_t kMostOfFrame = std::size_t{64} << 20U;

struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

/// A file in memory; empty if the file is.
class Mapped {
 public:
  Mapped(int file, std::size_t size) noexcept
      : bytes_(size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : nullptr), size_(size) {}
  ~Mapped() {
    if (is_there()) ::munmap(bytes_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  [[nodiscard]] bool is_there() const noexcept { return bytes_ != nullptr && bytes_ != MAP_FAILED; }
  [[nodiscard]] std::string_view view() const noexcept {
    return is_there() ? std::string_view(static_cast<const char*>(bytes_), size_) : std::string_view();
  }

 private:
  void* bytes_;
  std::size_t size_;
};

std::uint64_t count(std::string_view bytes, std::string_view text) {
  std::uint64_t found = 0;
  for (std::size_t at = bytes.find(text); at != std::string_view::npos; at = bytes.find(text, at + 1))
    ++found;
  return found;
}

/// What can be decompressed of a frame that may be cut off, or no frame at all.
std::string decompressed(ZSTD_DCtx* context, std::string_view bytes) {
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_DCtx_refDDict(context, dictionary_of_frame(bytes));
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string all;
  std::vector<char> room(ZSTD_DStreamOutSize());
  while (in.pos < in.size && all.size() < kMostOfFrame) {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context, &out, &in);
    if (ZSTD_isError(left) != 0) break;
    all.append(room.data(), out.pos);
    if (left == 0) break;
  }
  return all;
}

}  // namespace

Result<std::uint64_t> count_in_file(const std::filesystem::path& path, std::string_view text) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error(errno, path.string(), "open");
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  if (failure) return system_error(failure.value(), path.string(), "read");
  const Mapped mapped(file.get(), size);
  if (size > 0 && !mapped.is_there()) return system_error(errno, path.string(), "read");
  std::string packed;
  const bool is_packed = pack_cyrillic(text, packed) && packed != text;
  const auto count_both = [&](std::string_view bytes) {
    return count(bytes, text) + (is_packed ? count(bytes, packed) : 0);
  };
  const std::string_view bytes = mapped.view();
  std::uint64_t found = count_both(bytes);
  const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
  if (context == nullptr) return Error{Errc::busy, path.string(), "memory to search it is lacking", ""};
  for (std::size_t at = bytes.find(kFrameMagic); at != std::string_view::npos;
       at = bytes.find(kFrameMagic, at + 1))
    found += count_both(decompressed(context.get(), bytes.substr(at)));
  return found;
}

}  // namespace akin
