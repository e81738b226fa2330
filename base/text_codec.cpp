#include "base/text_codec.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <memory>
#include <new>
#include <vector>

#include "base/cyrillic_text.h"
#include "base/page_dictionaries.h"
#include "base/per_thread.h"

namespace akin {

namespace {

// A packed text is as small at level 1 as another at level 3, and takes a third of the time.
constexpr int kLevel = 3;
// Level 1 takes three quarters of the time for the text of a page, which becomes a hundredth larger.
constexpr std::size_t kPage = std::size_t{16} << 10U;
constexpr int kPageLevel = 1;
constexpr int kPackedLevel = 1;
constexpr int kFastLevel = 1;
/// The first byte of a packed text's bytes, before the frame; a frame begins with another one.
constexpr char kPacked = 1;

/// Bytes of working memory that a thread keeps.
constexpr std::size_t kKept = std::size_t{4} << 20U;

struct Frame;
struct Packed;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

/// Whether " the " is as frequent as in English: the dictionary makes pages in other languages larger.
bool seems_english(std::string_view text) {
  constexpr std::string_view kArticle = " the ";
  constexpr std::size_t kMostBetween = 512;
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(kArticle, at)) != std::string_view::npos; at += kArticle.size())
    ++found;
  return found > text.size() / kMostBetween;
}

/// One per thread; made at the next call if there was no memory for it.
template <class Context, Context* (*make)()>
Context* context_of_thread() {
  auto& context = PerThread<std::unique_ptr<Context, FreeContext>>::get();
  if (context == nullptr) context.reset(make());
  if (context == nullptr) throw std::bad_alloc();
  return context.get();
}

/// `prefix` and one frame; with a dictionary its level counts.
Result<std::string> compress(std::string_view prefix, std::string_view bytes, int level,
                             const PageDictionary* dictionary = nullptr) {
  ZSTD_CCtx* const context = context_of_thread<ZSTD_CCtx, ZSTD_createCCtx>();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_refCDict(context, dictionary != nullptr ? dictionary->compressing() : nullptr);
  // Kept per thread: a new one each time would have to be zeroed.
  auto& room = PerThread<std::vector<char>, Frame>::get();
  if (room.size() < ZSTD_compressBound(bytes.size())) room.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress2(context, room.data(), room.size(), bytes.data(), bytes.size());
  if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) return exhausted_memory();
  if (ZSTD_isError(size) != 0) return Error{Errc::internal, "zstd", ZSTD_getErrorName(size), ""};
  std::string frame;
  frame.reserve(prefix.size() + size);
  frame.append(prefix).append(room.data(), size);
  if (room.size() > kKept) std::vector<char>().swap(room);
  return frame;
}

/// Reads a frame that declares to hold as many bytes.
bool decompress(std::string_view frame, std::span<char> into) {
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return false;
  ZSTD_DCtx* const context = context_of_thread<ZSTD_DCtx, ZSTD_createDCtx>();
  const std::size_t made = ZSTD_decompress_usingDDict(context, into.data(), into.size(), frame.data(),
                                                      frame.size(), dictionary_of_frame(frame));
  return ZSTD_isError(made) == 0 && made == into.size();
}

std::optional<std::string> decompress(std::string_view frame, std::uint64_t size) {
  std::string bytes(size, '\0');
  if (!decompress(frame, bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

Result<std::string> compress_text(std::string_view text) {
  auto& packed = PerThread<std::string, Packed>::get();
  if (!pack_cyrillic(text, packed)) {
    if (text.size() > kPage) return compress({}, text, kLevel);
    return compress({}, text, kPageLevel, seems_english(text) ? &english_pages() : nullptr);
  }
  auto frame =
      compress({&kPacked, 1}, packed, kPackedLevel, packed.size() <= kPage ? &russian_pages() : nullptr);
  if (packed.capacity() > kKept) std::string().swap(packed);
  return frame;
}

Result<std::string> compress_bytes(std::string_view bytes, bool fast) {
  return compress({}, bytes, fast ? kFastLevel : kLevel);
}

std::optional<std::string> decompress_bytes(std::string_view frame, std::uint64_t size) {
  if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != size) return std::nullopt;
  return decompress(frame, size);
}

bool decompress_bytes(std::string_view frame, std::span<char> into) {
  return ZSTD_getFrameContentSize(frame.data(), frame.size()) == into.size() && decompress(frame, into);
}

std::optional<std::string> decompress_text(std::string_view bytes, std::uint64_t text_bytes) {
  const bool is_packed = bytes.starts_with(kPacked);
  const std::string_view frame = bytes.substr(is_packed ? 1 : 0);
  const std::uint64_t size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (is_packed ? size >= text_bytes : size != text_bytes) return std::nullopt;
  std::optional<std::string> content = decompress(frame, size);
  return content && is_packed ? unpack_cyrillic(*content, text_bytes) : content;
}

}  // namespace akin
