// The two fixed hash functions from which every stored feature is computed. Changing either changes every
// index: raise `kHashVersion`, which is part of the dictionary fingerprint.
#pragma once

#include <cstdint>
#include <string_view>

namespace akin {

inline constexpr unsigned kHashVersion = 11;

/// A bijection of 64 bits that spreads every input bit over all output bits (the finaliser of SplitMix64;
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  x ^= x >> 31;
  return x;
}

/// The 64-bit key of a spelling, computed one code point at a time while the spelling is folded. One step is
/// (h ^ code point) * odd constant (the form of Fowler, Noll and Vo's FNV-1a); `value` mixes at the end.
class SpellingHash {
 public:
  constexpr void add(char32_t c) noexcept { state_ = (state_ ^ c) * 0x9e3779b97f4a7c15U; }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return mix64(state_); }

 private:
  std::uint64_t state_ = 0x6a09e667f3bcc908U;
};

/// The key of a whole spelling.
[[nodiscard]] constexpr std::uint64_t spelling_key(std::u32string_view letters) noexcept {
  SpellingHash hash;
  for (char32_t c : letters) hash.add(c);
  return hash.value();
}

/// WH of the class or stem with this (folded) spelling. It differs from the key, so that sums of WH do not
/// coincide with table keys.
[[nodiscard]] constexpr std::uint64_t word_hash(std::u32string_view folded) noexcept {
  return mix64(spelling_key(folded) ^ 0xa54ff53a5f1d36f1U);
}

}  // namespace akin
