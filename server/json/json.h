// The JSON type of the server's folders.
#pragma once

#include <nlohmann/json.hpp>

namespace akin::json {

/// Keeps the order in which an object's fields were set.
using Json = nlohmann::ordered_json;

}  // namespace akin::json
