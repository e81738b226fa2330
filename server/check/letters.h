// Counts the letters and digits in ranges of a text: the unit of all reported shares. White space,
// punctuation, marks and invisible characters do not count, so that layout changes no share.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// part / whole; 0 of nothing.
[[nodiscard]] constexpr double ratio(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The letters and digits of one text, except those taken out. Positions are code points; uses a quarter of a
/// byte for each. Immutable.
class Letters {
 public:
  /// Requires well-formed UTF-8.
  explicit Letters(std::string_view utf8);

  /// A copy without those in `ranges`, which may overlap and come in any order.
  [[nodiscard]] Letters without(std::span<const TextRange> ranges) const;

  [[nodiscard]] std::uint64_t count() const noexcept { return before_.back(); }
  /// The number in a range; positions past the end of the text count as 0.
  [[nodiscard]] std::uint64_t count(TextRange range) const noexcept;
  /// The number in the union of the ranges. Requires ranges in ascending order of their starts.
  [[nodiscard]] std::uint64_t count_union(std::span<const TextRange> ranges) const noexcept;

 private:
  void sum_up();
  [[nodiscard]] std::uint64_t count_to(std::uint64_t position) const noexcept;

  std::vector<std::uint64_t> bits_;    ///< bit i mod 64 of word i / 64 is code point i
  std::vector<std::uint32_t> before_;  ///< bits set in the words before; one more than words
};

}  // namespace akin::check
