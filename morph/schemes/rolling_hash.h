// A hash of the last w units of a sequence; advancing by one unit has constant cost.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/hash.h"

namespace akin {

/// Longest window, in units.
inline constexpr unsigned kMaxWindowUnits = 64;

/// Value of u_1 … u_w: mix64 of the upper half of Σ u_i · k · b^(w-i) modulo 2^128, with odd constants k and
/// b; if order does not count, b is 1. Karp and Rabin's fingerprint ("Efficient randomized pattern-matching
/// algorithms", 1987) in the form of multiply-shift hashing (Dietzfelbinger 1996): if units are 64-bit
/// hashes, two different sequences collide with a probability of about 2^-64. (Modulo 2^64 alone, sequences
/// of few different units in other orders would collide more often: b^d - 1 has many factors 2.)
///
/// For callers that keep the units themselves; RollingHash remembers them.
class RollingSum {
 public:
  /// Halves of k.
  static constexpr std::uint64_t kSpreadHigh = 0x243f6a8885a308d3U, kSpreadLow = 0x13198a2e03707345U;

  /// Requires 1 <= window <= kMaxWindowUnits.
  RollingSum(unsigned window, bool ordered) noexcept : ordered_(ordered) {
    for (unsigned i = 0; i < window; ++i) leaving_ *= kBase;
  }

  /// Takes the next unit, and gives up the one `window` places before it; 0 if there is none.
  void advance(std::uint64_t unit, std::uint64_t leaving) noexcept {
    if (ordered_) {
      sum_ = sum_ * kBase + unit * kSpread - leaving * leaving_;
    } else {
      sum_ += (Wide{unit} - leaving) * kSpread;
    }
  }

  /// Over the units in the window; while fewer than `window` were taken, over those.
  [[nodiscard]] std::uint64_t value() const noexcept {
    return mix64(static_cast<std::uint64_t>(sum_ >> 64U));
  }

 private:
  __extension__ using Wide = unsigned __int128;
  // Fractional digits of pi and of e, made odd; the base is 5 modulo 8, so that its powers have full period.
  static constexpr Wide kSpread = Wide{kSpreadHigh} << 64U | kSpreadLow;
  static constexpr Wide kBase = Wide{0xb7e151628aed2a6aU} << 64U | 0xbf7158809cf4f3c5U;

  bool ordered_;
  Wide leaving_ = kSpread;  ///< the factor of a unit that leaves, if order counts
  Wide sum_ = 0;
};

/// A gram of units in a row. A gram's shape has a bit for each of its units: bit d for the unit d places
/// before its last.
[[nodiscard]] constexpr std::uint64_t shape_in_a_row(unsigned units) noexcept {
  return ~std::uint64_t{0} >> (kMaxWindowUnits - units);
}

/// RollingSum's value over the units of a gram: unit(d) for each bit d of its shape, from the highest on.
template <class UnitAt>
[[nodiscard]] std::uint64_t sum_of_shape(std::uint64_t shape, bool ordered, const UnitAt& unit) noexcept {
  RollingSum sum(1, ordered);
  while (shape != 0) {
    const std::size_t place = static_cast<std::size_t>(std::bit_width(shape)) - 1;
    sum.advance(unit(place), 0);
    shape ^= std::uint64_t{1} << place;
  }
  return sum.value();
}

/// The same with a memory of its own.
class RollingHash {
 public:
  /// Requires 1 <= window <= kMaxWindowUnits.
  RollingHash(unsigned window, bool ordered) noexcept : window_(window), sum_(window, ordered) {}

  /// Takes the next unit; the one `window` places before it leaves.
  void push(std::uint64_t unit) noexcept {
    sum_.advance(unit, units_[at_]);
    units_[at_] = unit;
    at_ = at_ + 1 == window_ ? 0 : at_ + 1;
  }

  [[nodiscard]] std::uint64_t value() const noexcept { return sum_.value(); }

 private:
  unsigned window_;
  unsigned at_ = 0;
  RollingSum sum_;
  std::array<std::uint64_t, kMaxWindowUnits> units_{};
};

}  // namespace akin
