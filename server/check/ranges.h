// Ranges of a text as a set of its code points.
#pragma once

#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// Sorts the ranges and joins those that overlap or touch.
void join_ranges(std::vector<TextRange>& ranges);

/// What at least two of the ranges have, joined.
[[nodiscard]] std::vector<TextRange> covered_twice(const std::vector<TextRange>& ranges);

/// Appends what is left of a range without some that lie in it, in ascending order.
void append_without(TextRange range, const std::vector<TextRange>& without, std::vector<TextRange>& to);

}  // namespace akin::check
