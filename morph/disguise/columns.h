// Two columns of a printed page whose lines were read across both.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin {

/// The runs of lines, in code points, in which two columns of prose are read across: at least eight lines
/// with three words or more on both sides of three blanks or more, the right parts starting in one column and
/// two thirds of the left parts filling six tenths of theirs; up to two lines in a row without such a gap.
/// Tables have narrower cells. Requires well-formed UTF-8. Takes linear time.
[[nodiscard]] std::vector<TextRange> find_columns(std::string_view utf8);

}  // namespace akin
