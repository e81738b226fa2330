#include "base/text_codec.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <memory>
#include <new>
#include <vector>

namespace akin {

namespace {

constexpr int kLevel = 3;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

/// One per thread; made at the next call if there was no memory for it.
template <class Context, Context* (*make)()>
Context* context_of_thread() {
  thread_local std::unique_ptr<Context, FreeContext> context;
  if (context == nullptr) context.reset(make());
  if (context == nullptr) throw std::bad_alloc();
  return context.get();
}

}  // namespace

Result<std::string> compress_text(std::string_view text) {
  ZSTD_CCtx* const context = context_of_thread<ZSTD_CCtx, ZSTD_createCCtx>();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  // Kept per thread: a new one each time would have to be zeroed.
  thread_local std::vector<char> room;
  if (room.size() < ZSTD_compressBound(text.size())) room.resize(ZSTD_compressBound(text.size()));
  const std::size_t size = ZSTD_compress2(context, room.data(), room.size(), text.data(), text.size());
  if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) return exhausted_memory();
  if (ZSTD_isError(size) != 0) return Error{Errc::internal, "zstd", ZSTD_getErrorName(size), ""};
  std::string frame(room.data(), size);
  constexpr std::size_t kKept = std::size_t{4} << 20;
  if (room.size() > kKept) std::vector<char>().swap(room);
  return frame;
}

std::optional<std::string> decompress_text(std::string_view frame, std::uint64_t text_bytes) {
  if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != text_bytes) return std::nullopt;
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return std::nullopt;
  ZSTD_DCtx* const context = context_of_thread<ZSTD_DCtx, ZSTD_createDCtx>();
  std::string text(text_bytes, '\0');
  const std::size_t size = ZSTD_decompressDCtx(context, text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) != 0 || size != text_bytes) return std::nullopt;
  return text;
}

}  // namespace akin
