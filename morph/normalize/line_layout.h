// What the lines of a text show about how it was printed or sent: marks of quotation, line numbers, page
// numbers with running heads, and where paragraphs end.
#pragma once

#include <string_view>
#include <vector>

#include "morph/normalize/arrangement.h"

namespace akin {

/// Adds the edits that undo the layout: marks of quotation, page furniture and line numbers are removed,
/// blank lines inside a paragraph become line breaks, and line breaks between paragraphs become blank lines.
/// Only lines that end with LF (or CR LF) are looked at. The rules: docs/text-rules.md, section 8.
void find_line_layout(std::string_view utf8, std::vector<ArrivalEdit>& edits);

}  // namespace akin
