// Passages as JSON, as every answer and event shows them.
#pragma once

#include <vector>

#include "base/text_range.h"
#include "index/overlap/passages.h"
#include "server/json/json.h"

namespace akin::json {

/// [begin, end] in code points.
[[nodiscard]] Json range_array(TextRange range);

/// [{"a": [b,e], "b": [b,e], "features": N}]; of aligned passages "words": N in place of features, and
/// "changed_words": {"inserted": N}, without the kinds of change that do not occur.
[[nodiscard]] Json passages_array(const std::vector<Passage>& passages);

}  // namespace akin::json
