// What the sources of a check have, seen beside each other.
#pragma once

#include <string>
#include <vector>

#include "base/text_range.h"
#include "index/store/document.h"
#include "server/check/engine.h"
#include "server/check/letters.h"

namespace akin::check {

/// `found`, and the gaps of the passages; joined.
[[nodiscard]] std::vector<TextRange> with_gaps(std::vector<TextRange> found,
                                               const std::vector<Passage>& passages);

/// The date that a document's metadata give, of its publication; empty if there is none.
[[nodiscard]] std::string publication_date(const DocumentRecord& document);

/// Sets Source::only and Source::same_as of listed sources, and moves those with the same passages, such as
/// editions of one work, to the first of them: the earliest first, by date of publication if it is known, the
/// others after them by when they were stored. Two have the same passages if nine tenths of the letters that
/// either has are in both. `found`: Source::found of all sources, listed or not, one after another;
/// `letters`: those that are compared. Looks for equals among the first hundred different ones.
void compare_sources(std::vector<Source>& sources, const std::vector<TextRange>& found,
                     const Letters& letters);

}  // namespace akin::check
