// Finds the bibliographies of a text.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// The bibliographies of a text, in order: each from the line of its heading to the next heading of a
/// bibliography or of what may follow one (an appendix), to the end of the text, or to the last entry before
/// a line of more than 300 code points or three paragraphs that have the form of none: no number before them,
/// no year, no address, no " // ". headings.txt has the headings, and the words that others are made of. A
/// line is the heading of a bibliography if its words are those of a heading, whatever their case, numbering
/// or punctuation, and no digit follows them (as in a table of contents). It is the heading of a following
/// section if it begins with the words of such a heading and has at most 100 code points. Lists that show
/// themselves (entries.h) need no heading. Requires well-formed UTF-8.
[[nodiscard]] std::vector<TextRange> find_bibliographies(std::string_view utf8);

}  // namespace akin::check
