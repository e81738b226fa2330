// Where a text quotes.
#pragma once

#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::check {

/// The quotations of a text, in order, none inside another:
/// - what stands between a pair of «», »«, „“, „”, “”, ”” or "" within one paragraph, the marks with it. A
///   mark that has no partner in its paragraph quotes nothing; », ” and " begin a quotation only where a word
///   may begin, that is behind white space, a dash, an opening bracket or another mark. Single quotes and
///   apostrophes are no marks.
/// - adjacent lines that begin with '>', behind up to three spaces.
/// A paragraph ends at a blank line and at U+2029. Requires well-formed UTF-8.
[[nodiscard]] std::vector<TextRange> find_quotations(std::string_view utf8);

}  // namespace akin::check
