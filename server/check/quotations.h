// Finds the quotations of a text.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "server/check/lines.h"

namespace akin::check {

/// The quotations of a text, in order, none inside another:
/// - the text between a pair of marks within one paragraph, including the marks: those that Unicode's CLDR
///   has for any language, double or single, but for ’…’, and „ with a straight one. A mark without a partner
///   in its paragraph is ignored, unless the next paragraph begins with the same one: then the quotation has
///   several paragraphs. A mark that can also end a quotation begins one only where a word may begin: after
///   white space, a dash, an opening bracket or another mark. Single ones end one only where no letter
///   follows: others are apostrophes.
/// - blocks that the layout sets off (block_quotations.h).
/// A paragraph ends at a blank line and at U+2029. Requires well-formed UTF-8.
[[nodiscard]] std::vector<TextRange> find_quotations(std::string_view utf8);
/// The same of the text that has these lines.
[[nodiscard]] std::vector<TextRange> find_quotations(const std::vector<Line>& lines);

}  // namespace akin::check
