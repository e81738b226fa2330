// Where a text lists its sources.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// The lists of literature of a text, in order: each from its heading's line to the next heading of such a
/// list or of what may follow it (an appendix), or to the end of the text. headings.txt has the headings.
///
/// A line is the heading of a list when its words are those of a heading, whatever their case, numbering or
/// punctuation, and no digit follows them (as in a table of contents). It is the heading of what follows when
/// it begins with the words of such a heading, and has at most 100 code points. Requires well-formed UTF-8.
[[nodiscard]] std::vector<TextRange> find_bibliographies(std::string_view utf8);

}  // namespace akin::check
