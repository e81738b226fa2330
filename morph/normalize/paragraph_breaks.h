// Where paragraphs end that the line breaks of a text do not show: blank lines inside of them, none between
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "morph/normalize/arrangement.h"
#include "morph/normalize/text_line.h"

namespace akin {

/// How many lines before and after a line break decide about it. Nothing farther away matters, so a part of a
/// text is divided like the whole.
inline constexpr std::size_t kNearLines = 20;

/// Columns of lines that a printer made, at least: verse has fewer.
inline constexpr std::uint32_t kLeastColumns = 55;

/// Adds an edit for each blank line inside a paragraph, which becomes a line break, and for each line break
/// between paragraphs, which becomes a blank line; `lines` are all lines of the text. The rules:
/// docs/text-rules.md, section 8.
void find_paragraph_breaks(std::string_view utf8, const std::vector<TextLine>& lines,
                           std::vector<ArrivalEdit>& edits);

}  // namespace akin
