// A text cut into its lines.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// One line without what ends it.
struct Line {
  TextRange range;  ///< in the text
  std::string_view text;
  bool blank = false;           ///< nothing but white space
  bool ends_paragraph = false;  ///< U+2029 ends it
};

/// All lines, in order. LF, CR, CR LF, NEL, U+2028 and U+2029 end a line. Views the text, which must be
/// well-formed UTF-8.
[[nodiscard]] std::vector<Line> lines_of(std::string_view utf8);

}  // namespace akin::check
