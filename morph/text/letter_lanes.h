// Letters of the two alphabets whose folding is arithmetic, eight at a time in the compiler's vectors: basic
// Latin, and the Cyrillic of Slavic languages.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace akin {

/// How many letters one step reads, and writes room for.
inline constexpr std::size_t kLetterLanes = 8;
/// How many bytes one step may look at.
inline constexpr std::size_t kLetterLaneBytes = 16;

namespace lanes {

using Bytes = std::uint8_t __attribute__((vector_size(8)));
using Units = std::uint16_t __attribute__((vector_size(16)));
using Letters = std::uint32_t __attribute__((vector_size(32)));
static_assert(std::endian::native == std::endian::little);

/// The number of lanes before the first that is 0; the others have all bits set.
inline unsigned count_leading(const Bytes& mask) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &mask, sizeof bits);
  return static_cast<unsigned>(std::countr_one(bits)) / 8;
}

}  // namespace lanes

/// Folds the basic Latin letters that `from` begins with, at most eight; returns their number.
inline unsigned fold_latin_letters(const unsigned char* from, char32_t* to) noexcept {
  lanes::Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  const lanes::Bytes folded = bytes | 0x20;
  const lanes::Letters letters = __builtin_convertvector(folded, lanes::Letters);
  std::memcpy(to, &letters, sizeof letters);
  const auto is_letter = (folded - 'a') < 26;
  return lanes::count_leading(std::bit_cast<lanes::Bytes>(is_letter));
}

/// The same for Cyrillic letters from U+0400 to U+045F, but those with a grave.
inline unsigned fold_cyrillic_letters(const unsigned char* from, char32_t* to) noexcept {
  lanes::Units units;  // lead byte, continuation byte
  std::memcpy(&units, from, sizeof units);
  const lanes::Units c = ((units & 0x1f) << 6) | (units >> 8 & 0x3f);
  const lanes::Units is_upper = std::bit_cast<lanes::Units>(c < 0x430);
  const lanes::Units is_early = std::bit_cast<lanes::Units>(c < 0x410);
  lanes::Units folded = c + (is_upper & 0x20) + (is_early & 0x30);
  const lanes::Units is_yo = std::bit_cast<lanes::Units>(folded == 0x451);
  folded = (folded & ~is_yo) | (is_yo & 0x435);
  const lanes::Letters letters = __builtin_convertvector(folded, lanes::Letters);
  std::memcpy(to, &letters, sizeof letters);
  const auto is_cyrillic = ((units & 0xc0fe) == 0x80d0) & ((c - 0x400) < 0x60);
  const auto is_letter = is_cyrillic & (folded != 0x450) & (folded != 0x45d);
  return lanes::count_leading(__builtin_convertvector(is_letter, lanes::Bytes));
}

}  // namespace akin
