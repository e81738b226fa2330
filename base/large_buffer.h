// Large buffers in large pages: writing to fresh memory costs most where each 4 KiB of it are a page fault.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace akin {

/// Asks for pages of 2 MiB for memory that was not written to yet. Does nothing for less than a few of them.
inline void prefer_large_pages(void* memory, std::size_t bytes) noexcept {
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21U;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage, end = (begin + bytes) / kPage * kPage;
  if (end <= first || end - first < 4 * kPage) return;
  static_cast<void>(madvise(static_cast<char*>(memory) + (first - begin), end - first, MADV_HUGEPAGE));
}

/// Makes room for `size` elements in a string or vector that is empty, in large pages if there are many.
template <class Buffer>
void reserve_large(Buffer& buffer, std::size_t size) {
  buffer.reserve(size);
  prefer_large_pages(buffer.data(), buffer.capacity() * sizeof(*buffer.data()));
}

}  // namespace akin
