// Where sentences end. The rule looks at a bounded neighbourhood and never at letter case, so that a passage
// splits the same way wherever it occurs and however it is set (edit 4 of docs/definitions.md).
#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text_range.h"

namespace akin {

/// Ranges of the sentences of a text that have at least one word, in order; needs no dictionary. The scanner
/// uses the same rule. Errors as in scan_text.
[[nodiscard]] Result<std::vector<TextRange>> split_sentences(std::string_view utf8);

}  // namespace akin
