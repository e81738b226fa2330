// Finds the quotations of a text.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// The quotations of a text, in order, none inside another:
/// - the text between a pair of «», »«, „“, „”, “”, ”” or "" within one paragraph, including the marks. A
///   mark without a partner in its paragraph is ignored; », ” and " begin a quotation only where a word
///   may begin: after white space, a dash, an opening bracket or another mark. Single quotes and
///   apostrophes are not marks.
/// - adjacent lines that begin with '>' after up to three spaces.
/// A paragraph ends at a blank line and at U+2029. Requires well-formed UTF-8.
[[nodiscard]] std::vector<TextRange> find_quotations(std::string_view utf8);

}  // namespace akin::check
