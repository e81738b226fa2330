// How many letters and digits lie where in a text: the unit in which shares of a text are told. White space,
// punctuation, marks and invisible characters count nothing, so that layout changes no share.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// The letters and digits of one text, as far as they have not been taken out. Positions are code points;
/// takes a quarter of a byte for each. Immutable.
class Letters {
 public:
  /// Requires well-formed UTF-8.
  explicit Letters(std::string_view utf8);

  /// The same without those in `ranges`, which may overlap and come in any order.
  [[nodiscard]] Letters without(std::span<const TextRange> ranges) const;

  [[nodiscard]] std::uint64_t count() const noexcept { return before_.back(); }
  /// Those in a range; positions past the end of the text count nothing.
  [[nodiscard]] std::uint64_t count(TextRange range) const noexcept;
  /// Those in any of the ranges, each once. Requires that the ranges ascend by their begins.
  [[nodiscard]] std::uint64_t count_union(std::span<const TextRange> ranges) const noexcept;

 private:
  void sum_up();
  [[nodiscard]] std::uint64_t count_to(std::uint64_t position) const noexcept;

  std::vector<std::uint64_t> bits_;    ///< bit i mod 64 of word i / 64 is code point i
  std::vector<std::uint32_t> before_;  ///< bits set in the words before; one more than words
};

}  // namespace akin::check
