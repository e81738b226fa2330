// The JSON type of the server's folders.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/text_range.h"
#include "base/time.h"

namespace akin::json {

/// Keeps the order in which an object's fields were set.
using Json = nlohmann::ordered_json;

/// The value without blanks and line ends. Bytes that are not UTF-8, for instance in a system's message, are
/// replaced.
[[nodiscard]] std::string compact(const Json& value);

/// Sets the fields of `object` to those of `from`, which are moved.
void move_fields(Json& object, Json&& from);

/// The range in [begin, end].
[[nodiscard]] TextRange read_range(const Json& range);

/// A time as format_time writes it, or null.
[[nodiscard]] Json time_or_null(const std::optional<Time>& time);
/// The time that a string contains; nothing for any other value.
[[nodiscard]] std::optional<Time> read_time(const Json& value);

}  // namespace akin::json
