// Letters of the two alphabets whose folding is arithmetic: basic Latin, and the Cyrillic of Slavic
// languages. Eight at a time in the compiler's vectors; or sixteen, with AVX2, which are nearly always a
// whole word.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <array>
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

#if defined(__x86_64__)

/// The letters that a text begins with.
struct Sixteen {
  unsigned letters = 0;   ///< at most sixteen
  std::uint64_t key = 0;  ///< QuickWord::key of fewer than sixteen
};

/// How many bytes a step of sixteen letters may look at, whatever the alphabet.
inline constexpr std::size_t kSixteenBytes = 32;

namespace lanes {

/// Both halves of the product, so that each bit depends on most others.
[[gnu::target("bmi2")]] inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
  unsigned long long high = 0;
  const std::uint64_t low = _mulx_u64(a, b, &high);
  return low ^ high;
}

/// From place 32 - n on: n bytes with all bits set, then 32 with none.
inline constexpr auto kFirstBytes = [] {
  std::array<std::uint8_t, 64> bytes{};
  for (std::size_t i = 0; i < 32; ++i) bytes[i] = 0xff;
  return bytes;
}();

// Fractional digits of pi; no letters have such bytes, so no factor is 0.
inline constexpr std::uint64_t kFactors[] = {0x243f6a8885a308d3U, 0x93198a2e03707345U, 0xa4093822299f31d1U,
                                             0x882efa98ec4e6c89U};

using Units16 = std::array<std::uint16_t, 16>;

constexpr Units16 all_units(std::uint16_t unit) {
  Units16 units{};
  units.fill(unit);
  return units;
}

alignas(32) inline constexpr Units16
    kForm = all_units(0xc0fe),
    kCyrillicForm = all_units(0x80d0), kWeights = all_units(0x0140), kBase = all_units(0x3080),
    kUpperEnd = all_units(0x430), kEarlyEnd = all_units(0x410), kUpperShift = all_units(0x20),
    kEarlyShift = all_units(0x30), kYo = all_units(0x451), kYoShift = all_units(0x451 - 0x435),
    kLastLetter = all_units(0x45f), kGraveE = all_units(0x450), kGraveI = all_units(0x45d);

[[gnu::target("avx2")]] inline __m256i load(const Units16& units) noexcept {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(units.data()));
}

[[gnu::target("avx2")]] inline void store_letters(__m256i units, char32_t* to) noexcept {
  auto* const out = reinterpret_cast<__m256i*>(to);
  _mm256_storeu_si256(out, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(units)));
  _mm256_storeu_si256(out + 1, _mm256_cvtepu16_epi32(_mm256_extracti128_si256(units, 1)));
}

}  // namespace lanes

/// Folds the basic Latin letters that `from` begins with; writes room for sixteen.
[[gnu::target("avx2,bmi,bmi2")]] inline Sixteen fold_sixteen_latin(const unsigned char* from,
                                                                   char32_t* to) noexcept {
  const __m128i folded =
      _mm_or_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), _mm_set1_epi8(0x20));
  lanes::store_letters(_mm256_cvtepu8_epi16(folded), to);
  const __m128i from_a = _mm_sub_epi8(folded, _mm_set1_epi8('a'));
  const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(from_a, _mm_set1_epi8(25)), from_a);
  const auto letters =
      static_cast<unsigned>(std::countr_one(static_cast<std::uint32_t>(_mm_movemask_epi8(is_letter))));
  const auto* const mask = reinterpret_cast<const __m128i*>(lanes::kFirstBytes.data() + 32 - letters);
  const __m128i word = _mm_and_si128(folded, _mm_loadu_si128(mask));
  const auto first = static_cast<std::uint64_t>(_mm_cvtsi128_si64(word));
  const auto second = static_cast<std::uint64_t>(_mm_extract_epi64(word, 1));
  return {letters, lanes::folded_product(first ^ lanes::kFactors[0], second ^ lanes::kFactors[1])};
}

/// The same for Cyrillic letters from U+0400 to U+045F; no letters if one of them has a grave, or if others
/// with the same lead bytes follow.
[[gnu::target("avx2,bmi,bmi2")]] inline Sixteen fold_sixteen_cyrillic(const unsigned char* from,
                                                                      char32_t* to) noexcept {
  using namespace lanes;
  const __m256i units = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));  // lead, continuation
  // A loop over words waits for their lengths, so they do not wait for the letters.
  const __m256i is_cyrillic = _mm256_cmpeq_epi16(_mm256_and_si256(units, load(kForm)), load(kCyrillicForm));
  const auto bytes =
      static_cast<unsigned>(std::countr_one(static_cast<std::uint32_t>(_mm256_movemask_epi8(is_cyrillic))));
  const __m256i c = _mm256_sub_epi16(_mm256_maddubs_epi16(units, load(kWeights)), load(kBase));
  const __m256i upper = _mm256_and_si256(_mm256_cmpgt_epi16(load(kUpperEnd), c), load(kUpperShift));
  const __m256i early = _mm256_and_si256(_mm256_cmpgt_epi16(load(kEarlyEnd), c), load(kEarlyShift));
  const __m256i lower = _mm256_add_epi16(c, _mm256_add_epi16(upper, early));
  const __m256i yo = _mm256_and_si256(_mm256_cmpeq_epi16(lower, load(kYo)), load(kYoShift));
  const __m256i folded = _mm256_sub_epi16(lower, yo);
  store_letters(folded, to);
  const auto* const mask = reinterpret_cast<const __m256i*>(kFirstBytes.data() + 32 - bytes);
  const __m256i word = _mm256_and_si256(folded, _mm256_loadu_si256(mask));
  const __m256i other = _mm256_or_si256(
      _mm256_cmpgt_epi16(word, load(kLastLetter)),
      _mm256_or_si256(_mm256_cmpeq_epi16(word, load(kGraveE)), _mm256_cmpeq_epi16(word, load(kGraveI))));
  if (_mm256_testz_si256(other, other) == 0) [[unlikely]]
    return {};
  const auto first = static_cast<std::uint64_t>(_mm256_extract_epi64(word, 0)) ^ kFactors[0];
  const auto second = static_cast<std::uint64_t>(_mm256_extract_epi64(word, 1)) ^ kFactors[1];
  const auto third = static_cast<std::uint64_t>(_mm256_extract_epi64(word, 2)) ^ kFactors[2];
  const auto fourth = static_cast<std::uint64_t>(_mm256_extract_epi64(word, 3)) ^ kFactors[3];
  return {bytes / 2, folded_product(first, second) + folded_product(third, fourth)};
}

#endif

}  // namespace akin
