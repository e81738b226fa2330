// The look-up algorithm of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte",
// Software: Practice and Experience 51 (2021): three table look-ups by half bytes detect every wrong pair of
// neighbours, one comparison detects the wrong continuations of three and four bytes.
#include "base/utf8_blocks.h"

#include <array>
#include <cstdint>

#include "base/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace akin {

#if defined(__x86_64__) || defined(__aarch64__)

namespace {

/// Possible errors in two adjacent bytes; a bit remains only if all three tables have it.
enum Wrong : std::uint8_t {
  kTooShort = 1 << 0,   // lead without continuation
  kTooLong = 1 << 1,    // ASCII with continuation
  kOverlong3 = 1 << 2,  // E0 80
  kTooLarge = 1 << 3,   // F4 90, F5 and beyond
  kSurrogate = 1 << 4,  // ED A0
  kOverlong2 = 1 << 5,  // C0, C1
  kTooLarge1000 = 1 << 6,
  kOverlong4 = 1 << 6,  // F0 80
  kTwoContinuations = 1 << 7,
  kCarry = kTooShort | kTooLong | kTwoContinuations,  // whatever the lower half of the first byte
};

using HalfByteTable = std::array<std::uint8_t, 16>;

constexpr HalfByteTable kFirstHigh = {kTooLong,
                                      kTooLong,
                                      kTooLong,
                                      kTooLong,
                                      kTooLong,
                                      kTooLong,
                                      kTooLong,
                                      kTooLong,
                                      kTwoContinuations,
                                      kTwoContinuations,
                                      kTwoContinuations,
                                      kTwoContinuations,
                                      kTooShort | kOverlong2,
                                      kTooShort,
                                      kTooShort | kOverlong3 | kSurrogate,
                                      kTooShort | kTooLarge | kTooLarge1000};
constexpr std::uint8_t kFromFive = kCarry | kTooLarge | kTooLarge1000;
constexpr HalfByteTable kFirstLow = {kCarry | kOverlong3 | kOverlong2 | kOverlong4,
                                     kCarry | kOverlong2,
                                     kCarry,
                                     kCarry,
                                     kCarry | kTooLarge,
                                     kFromFive,
                                     kFromFive,
                                     kFromFive,
                                     kFromFive,
                                     kFromFive,
                                     kFromFive,
                                     kFromFive,
                                     kFromFive,
                                     kFromFive | kSurrogate,
                                     kFromFive,
                                     kFromFive};
constexpr std::uint8_t kContinued = kTooLong | kOverlong2 | kTwoContinuations;
constexpr HalfByteTable kSecondHigh = {kTooShort,
                                       kTooShort,
                                       kTooShort,
                                       kTooShort,
                                       kTooShort,
                                       kTooShort,
                                       kTooShort,
                                       kTooShort,
                                       kContinued | kOverlong3 | kTooLarge1000,
                                       kContinued | kOverlong3 | kTooLarge,
                                       kContinued | kSurrogate | kTooLarge,
                                       kContinued | kSurrogate | kTooLarge,
                                       kTooShort,
                                       kTooShort,
                                       kTooShort,
                                       kTooShort};

#if defined(__x86_64__)

bool has_blocks() noexcept { return cpu_level() >= CpuLevel::v3; }

[[gnu::target("avx2")]] __m256i load_twice(const HalfByteTable& table) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}

/// The bytes `Distance` places before those of `block`.
template <int Distance>
[[gnu::target("avx2")]] __m256i earlier(__m256i block, __m256i block_before) {
  return _mm256_alignr_epi8(block, _mm256_permute2x128_si256(block_before, block, 0x21), 16 - Distance);
}

[[gnu::target("avx2")]] __m256i low_halves(__m256i bytes) {
  return _mm256_and_si256(bytes, _mm256_set1_epi8(0x0f));
}

[[gnu::target("avx2")]] __m256i high_halves(__m256i bytes) { return low_halves(_mm256_srli_epi16(bytes, 4)); }

/// Nonzero where something is wrong.
[[gnu::target("avx2")]] __m256i wrong_in(__m256i block, __m256i block_before) {
  const __m256i first = earlier<1>(block, block_before);
  const __m256i pairs =
      _mm256_and_si256(_mm256_and_si256(_mm256_shuffle_epi8(load_twice(kFirstHigh), high_halves(first)),
                                        _mm256_shuffle_epi8(load_twice(kFirstLow), low_halves(first))),
                       _mm256_shuffle_epi8(load_twice(kSecondHigh), high_halves(block)));
  // Bytes of 0x80 and more here are the third of three or four, or the fourth of four.
  const __m256i third = _mm256_subs_epu8(earlier<2>(block, block_before), _mm256_set1_epi8(0xe0 - 0x80));
  const __m256i fourth = _mm256_subs_epu8(earlier<3>(block, block_before), _mm256_set1_epi8(0xf0 - 0x80));
  const __m256i continued = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(-0x80));
  return _mm256_xor_si256(continued, pairs);
}

/// Number of bytes in the whole blocks before the first block with an error.
[[gnu::target("avx2")]] std::size_t right_blocks(std::string_view bytes) {
  constexpr std::size_t kBlock = 32;
  __m256i before = _mm256_setzero_si256();
  std::size_t at = 0;
  for (; at + kBlock <= bytes.size(); at += kBlock) {
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes.data() + at));
    const __m256i wrong = wrong_in(block, before);
    if (_mm256_testz_si256(wrong, wrong) == 0) break;
    before = block;
  }
  return at;
}

#else

/// Every processor of this architecture has NEON.
constexpr bool has_blocks() noexcept { return true; }

/// For each half byte its value in the table.
uint8x16_t look_up(const HalfByteTable& table, uint8x16_t halves) noexcept {
  return vqtbl1q_u8(vld1q_u8(table.data()), halves);
}

/// As above, for sixteen bytes.
uint8x16_t wrong_in(uint8x16_t block, uint8x16_t block_before) noexcept {
  const uint8x16_t first = vextq_u8(block_before, block, 15);
  const uint8x16_t pairs = vandq_u8(vandq_u8(look_up(kFirstHigh, vshrq_n_u8(first, 4)),
                                             look_up(kFirstLow, vandq_u8(first, vdupq_n_u8(0x0f)))),
                                    look_up(kSecondHigh, vshrq_n_u8(block, 4)));
  const uint8x16_t third = vqsubq_u8(vextq_u8(block_before, block, 14), vdupq_n_u8(0xe0 - 0x80));
  const uint8x16_t fourth = vqsubq_u8(vextq_u8(block_before, block, 13), vdupq_n_u8(0xf0 - 0x80));
  return veorq_u8(vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)), pairs);
}

std::size_t right_blocks(std::string_view bytes) noexcept {
  constexpr std::size_t kBlock = 16;
  uint8x16_t before = vdupq_n_u8(0);
  std::size_t at = 0;
  for (; at + kBlock <= bytes.size(); at += kBlock) {
    const uint8x16_t block = vld1q_u8(reinterpret_cast<const std::uint8_t*>(bytes.data() + at));
    if (vmaxvq_u8(wrong_in(block, before)) != 0) break;
    before = block;
  }
  return at;
}

#endif

}  // namespace

std::size_t well_formed_prefix(std::string_view bytes) noexcept {
  if (!has_blocks()) return 0;
  std::size_t end = right_blocks(bytes);
  // The last character may be incomplete.
  while (end > 0 && (static_cast<unsigned char>(bytes[end - 1]) & 0xc0U) == 0x80U) --end;
  if (end > 0 && static_cast<unsigned char>(bytes[end - 1]) >= 0x80) --end;
  return end;
}

#else

std::size_t well_formed_prefix(std::string_view /*bytes*/) noexcept { return 0; }

#endif

}  // namespace akin
