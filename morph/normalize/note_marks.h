// Footnote marks on words and after sentences: [12] and ¹².
#pragma once

#include <string_view>
#include <vector>

#include "morph/normalize/arrangement.h"

namespace akin {

/// Adds an edit that removes each mark, in the order of the text. A mark is a run of superscript digits, or
/// of numbers of up to three digits in square brackets, directly after a letter, a mark that ends a sentence
/// or a part of one, a quotation mark or a closing bracket. Superscripts stay after units of measure (км²)
/// and after single letters (x²).
void find_note_marks(std::string_view utf8, std::vector<ArrivalEdit>& edits);

}  // namespace akin
