// The passages of a check in columns of numbers, which take a sixth of the space of objects.
#pragma once

#include <cstdint>

#include "base/text_range.h"
#include "server/json/json.h"

namespace akin::api {

using json::Json;

/// Adds two numbers to a column of ranges: how far `range` begins after `end`, that of the range before it,
/// which is negative if it begins before that, and its length. `end` becomes its own.
void add_to_column(Json& column, const TextRange& range, std::int64_t& end);

/// The passages of a source, as `PassageColumns` of the API's description has them.
[[nodiscard]] Json passage_columns(const Json& passages);

}  // namespace akin::api
