// Sizes of a packed block's parts, shared by its writer and reader. Layout: docs/index-format.md.
#pragma once

#include <cstddef>

namespace akin {

// Header: kind u8, width of low parts u8, width of documents u8, 0, size u16, exceptions u16, base document
// u32, base feature u64 (list and bitmap: size of the whole list u32, 0 u32). Then the unary part or the
// bits, the low parts, the documents, the exceptions, and zeros so that a field may be read as a word.
inline constexpr std::size_t kBlockHeaderBytes = 20;
inline constexpr std::size_t kBlockPadBytes = 8;
inline constexpr std::size_t kExceptionBytes = 6;

[[nodiscard]] constexpr std::size_t bytes_of_bits(std::size_t bits) noexcept { return (bits + 7) / 8; }

}  // namespace akin
