// Splits a text into lines.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// One line without its terminator.
struct Line {
  TextRange range;  ///< in the text
  std::string_view text;
  bool blank = false;           ///< only white space
  bool ends_paragraph = false;  ///< it is terminated by U+2029
};

/// All lines, in order. LF, CR, CR LF, NEL, U+2028 and U+2029 end a line. Views the text, which must be
/// well-formed UTF-8.
[[nodiscard]] std::vector<Line> lines_of(std::string_view utf8);

}  // namespace akin::check
