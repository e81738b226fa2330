// What the lines of a text show about how it was printed: blank lines between all lines, paragraphs set off
// by indents, page numbers with running heads, and line numbers.
#pragma once

#include <string_view>
#include <vector>

#include "morph/normalize/arrangement.h"

namespace akin {

/// Adds the edits that undo the layout, in the order of the text: page furniture and line numbers are
/// removed, blank lines inside a paragraph become line breaks, and line breaks between paragraphs become
/// blank lines. Only lines that end with LF (or CR LF) are looked at. The rules: docs/text-rules.md,
/// section 4.
void find_line_layout(std::string_view utf8, std::vector<ArrivalEdit>& edits);

}  // namespace akin
