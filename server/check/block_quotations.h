// Quotations that the layout of a text sets off.
#pragma once

#include <vector>

#include "base/text_range.h"
#include "server/check/lines.h"

namespace akin::check {

/// Blocks of lines that begin with ">", and indented ones: between blank lines, each line begins at least two
/// columns to the right of where most lines, and most first lines of paragraphs, begin, with 12 words or more
/// and neither list marks nor columns. A text whose lines begin in too many places, or of which such blocks
/// would be more than a fifth, has no indented quotations: its indents are its outline. Ascending and
/// disjoint; `lines`: those of a text.
[[nodiscard]] std::vector<TextRange> find_block_quotations(const std::vector<Line>& lines);

}  // namespace akin::check
