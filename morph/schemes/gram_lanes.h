// Sums and window minima of grams eight at a time, with AVX-512: what RollingSum and Winnowing compute one by
// one.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/cpu.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {

/// Grams of a step; steps may read and write so many places beyond the last gram.
inline constexpr std::size_t kGramLanes = 8;
/// Most grams of a call.
inline constexpr std::size_t kMostGramsAtOnce = 256;
/// Most grams of a window, and how many places before the first gram may be read.
inline constexpr unsigned kMostLaneWindow = 32;

/// Whether the processor can do it.
[[nodiscard]] inline bool has_gram_lanes() noexcept { return cpu_level() >= CpuLevel::v4; }

#if defined(__x86_64__)

namespace lanes {

// Operators where there are some: intrinsics of GCC 12 without a mask look uninitialized to it.
using Eight = std::uint64_t __attribute__((vector_size(64)));
inline constexpr __mmask8 kAllEight = 0xff;

[[gnu::target("avx512f")]] inline Eight load_eight(const std::uint64_t* from) noexcept {
  return reinterpret_cast<Eight>(_mm512_loadu_si512(from));
}
[[gnu::target("avx512f")]] inline void store_eight(std::uint64_t* to, Eight values) noexcept {
  _mm512_storeu_si512(to, reinterpret_cast<__m512i>(values));
}
[[gnu::target("avx512f")]] inline Eight eight_of(std::uint64_t value) noexcept {
  return reinterpret_cast<Eight>(_mm512_set1_epi64(static_cast<long long>(value)));
}
/// From i on.
[[gnu::target("avx512f")]] inline Eight eight_from(std::uint64_t i) noexcept {
  return Eight{0, 1, 2, 3, 4, 5, 6, 7} + eight_of(i);
}

/// Products of the lower halves.
[[gnu::target("avx512f")]] inline Eight half_product(Eight a, Eight b) noexcept {
  return reinterpret_cast<Eight>(
      _mm512_maskz_mul_epu32(kAllEight, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}

/// The upper halves of eight products.
[[gnu::target("avx512f")]] inline Eight upper_product(Eight a, std::uint64_t factor) noexcept {
  const Eight low = eight_of(factor), high = eight_of(factor >> 32U), half = eight_of(0xffffffffU);
  const Eight low_high = half_product(a, high), high_low = half_product(a >> 32, low);
  const Eight middle = (half_product(a, low) >> 32) + (low_high & half) + (high_low & half);
  return half_product(a >> 32, high) + (middle >> 32) + (low_high >> 32) + (high_low >> 32);
}

/// mix64 of eight.
[[gnu::target("avx512f,avx512dq")]] inline Eight mixed(Eight x) noexcept {
  x = (x ^ x >> 30) * eight_of(0xbf58476d1ce4e5b9U);
  x = (x ^ x >> 27) * eight_of(0x94d049bb133111ebU);
  return x ^ x >> 31;
}

/// Makes each of count keys the least of itself and the one `distance` places before it.
[[gnu::target("avx512f")]] inline void take_lesser(std::uint64_t* keys, std::size_t count,
                                                   std::size_t distance) noexcept {
  for (std::size_t end = count; end > 0; end -= kGramLanes) {
    std::uint64_t* const at = keys + end - kGramLanes;
    _mm512_storeu_si512(
        at, _mm512_maskz_min_epu64(kAllEight, _mm512_loadu_si512(at), _mm512_loadu_si512(at - distance)));
  }
}

}  // namespace lanes

/// The values of `count` grams of units in any order, as by RollingSum, and how many of their units are stop
/// words. Gram i has units[i - d] for each bit d of `shape`, the lowest of which is set; the units before
/// units[0] precede it in memory.
[[gnu::target("avx512f,avx512dq")]] inline void sum_grams(const std::uint64_t* units,
                                                          const std::uint8_t* stops, std::size_t count,
                                                          std::uint64_t shape, std::uint64_t* values,
                                                          std::uint8_t* ranks) noexcept {
  using namespace lanes;
  for (std::size_t i = 0; i < count; i += kGramLanes) {
    Eight sum = load_eight(units + i), carry = eight_of(0);
    std::uint64_t rank = 0, of_unit = 0;
    std::memcpy(&rank, stops + i, sizeof rank);
    for (std::uint64_t rest = shape & (shape - 1); rest != 0; rest &= rest - 1) {
      const std::uint64_t* const unit = units + i - std::countr_zero(rest);
      const Eight more = load_eight(unit);
      sum += more;
      carry -= reinterpret_cast<Eight>(sum < more);  // all bits where it is
      std::memcpy(&of_unit, stops + (unit - units), sizeof of_unit);
      rank += of_unit;  // eight sums of a byte each
    }
    store_eight(values + i,
                mixed(sum * eight_of(RollingSum::kSpreadHigh) + carry * eight_of(RollingSum::kSpreadLow) +
                      upper_product(sum, RollingSum::kSpreadLow)));
    std::memcpy(ranks + i, &rank, sizeof rank);
  }
}

struct LaneWindow {
  unsigned grams = 1;      ///< at most kMostLaneWindow
  unsigned rank_bits = 0;  ///< ranks are less than 2^rank_bits
};

/// For each gram of a call, the least gram of the window that it ends.
class LaneMinima {
 public:
  /// The grams before the first precede it in memory.
  [[gnu::target("avx512f,avx512dq")]] LaneMinima(const std::uint64_t* values, const std::uint8_t* ranks,
                                                 std::size_t count, LaneWindow window) noexcept
      : count_(count), place_bits_(static_cast<unsigned>(std::bit_width(window.grams - 1))) {
    using namespace lanes;
    std::fill_n(first_.data(), kBefore, 0);
    std::fill_n(last_.data(), kBefore, 0);
    const Eight places = place_mask();
    const std::size_t begin = kBefore - (window.grams + kGramLanes - 2) / kGramLanes * kGramLanes;
    const std::size_t end = kBefore + (count + kGramLanes - 1) / kGramLanes * kGramLanes;
    for (std::size_t i = begin; i < end; i += kGramLanes) {
      using Bytes = std::uint8_t __attribute__((vector_size(8)));
      Bytes packed;
      std::memcpy(&packed, ranks + i - kBefore, sizeof packed);
      Eight key = load_eight(values + i - kBefore);
      if (window.rank_bits != 0)
        key = key >> window.rank_bits | __builtin_convertvector(packed, Eight) << (64 - window.rank_bits);
      const Eight first = (key & ~places) | (eight_from(i - kBefore) & places);
      store_eight(first_.data() + i, first);
      store_eight(last_.data() + i, first ^ places);
    }
    std::size_t seen = 1;
    for (; 2 * seen <= window.grams; seen *= 2) lower(begin, end, seen);
    if (seen < window.grams) lower(begin, end, window.grams - seen);
  }

  /// Passes the places, counted from the first gram of the call, of grams that are selected newly, where
  /// `before` was selected for the window before `begin`, a multiple of kGramLanes; stops at a step in which
  /// two least grams of a window may be equal. Returns where, and sets `before` to the last selected.
  template <class Take>
  [[gnu::target("avx512f,avx512dq,avx512vl,popcnt")]] std::size_t select(std::size_t begin,
                                                                         std::int64_t& before,
                                                                         Take take) const {
    using namespace lanes;
    const Eight places = place_mask();
    Eight selected_before = eight_of(static_cast<std::uint64_t>(before));
    std::size_t i = begin;
    for (; i < count_; i += kGramLanes) {
      const auto valid =
          static_cast<__mmask8>(count_ - i >= kGramLanes ? kAllEight : (1U << (count_ - i)) - 1);
      const Eight first = load_eight(first_.data() + kBefore + i);
      const Eight last = load_eight(last_.data() + kBefore + i) ^ places;
      if (differ(valid, first, last) != 0) break;
      const Eight at = eight_from(i);
      const Eight selected = at - ((at - first) & places);
      const Eight previous = __builtin_shufflevector(selected_before, selected, 7, 8, 9, 10, 11, 12, 13, 14);
      const unsigned changed = differ(valid, selected, previous);
      const auto count = static_cast<std::size_t>(std::popcount(changed));
      std::array<std::int64_t, kGramLanes> newly;
      _mm512_storeu_si512(newly.data(), _mm512_maskz_compress_epi64(static_cast<__mmask8>(changed),
                                                                    reinterpret_cast<__m512i>(selected)));
      take(newly, count);
      before = count > 0 ? newly[count - 1] : before;
      selected_before = selected;
    }
    return std::min(i, count_);
  }

 private:
  static constexpr std::size_t kBefore = std::size_t{2} * kMostLaneWindow;

  [[gnu::target("avx512f")]] [[nodiscard]] lanes::Eight place_mask() const noexcept {
    return lanes::eight_of((std::uint64_t{1} << place_bits_) - 1);
  }
  [[gnu::target("avx512f")]] static __mmask8 differ(__mmask8 valid, lanes::Eight a, lanes::Eight b) noexcept {
    return _mm512_mask_cmpneq_epi64_mask(valid, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
  }
  void lower(std::size_t begin, std::size_t end, std::size_t distance) noexcept {
    lanes::take_lesser(first_.data() + begin, end - begin, distance);
    lanes::take_lesser(last_.data() + begin, end - begin, distance);
  }

  const std::size_t count_;
  const unsigned place_bits_;
  // Keys: the rank, the value's upper bits, and in the lowest ones the gram's place modulo a power of two, or
  // that in descending order. Of equal grams, the key of the first one is the least, or that of the last.
  std::array<std::uint64_t, kBefore + kMostGramsAtOnce + kGramLanes> first_, last_;
};

#endif

}  // namespace akin
