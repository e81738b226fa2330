// What the sources of a check have, seen beside each other.
#pragma once

#include <vector>

#include "base/text_range.h"
#include "server/check/engine.h"
#include "server/check/letters.h"

namespace akin::check {

/// `found`, and the gaps of the passages; joined.
[[nodiscard]] std::vector<TextRange> with_gaps(std::vector<TextRange> found,
                                               const std::vector<Passage>& passages);

/// Sets Source::only and Source::same_as of listed sources. Two have the same passages if nine tenths of the
/// letters that either has are in both. `found`: Source::found of all sources, listed or not, one after
/// another; `letters`: those that are compared. Looks for equals among the first hundred different ones.
void compare_sources(std::vector<Source>& sources, const std::vector<TextRange>& found,
                     const Letters& letters);

}  // namespace akin::check
