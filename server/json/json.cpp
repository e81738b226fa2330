#include "server/json/json.h"

#include <utility>

namespace akin::json {

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

void move_fields(Json& object, Json&& from) {
  for (auto& [key, value] : from.get_ref<Json::object_t&>()) object[key] = std::move(value);
}

TextRange read_range(const Json& range) {
  return {range.at(0).get<std::uint32_t>(), range.at(1).get<std::uint32_t>()};
}

Json time_or_null(const std::optional<Time>& time) { return time ? Json(format_time(*time)) : Json(nullptr); }

std::optional<Time> read_time(const Json& value) {
  return value.is_string() ? parse_time(value.get_ref<const std::string&>()) : std::nullopt;
}

}  // namespace akin::json
