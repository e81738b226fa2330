// Any bytes as JSON: parse_json takes exactly what the library takes without a double key or too many levels,
// and reads it the same. A byte 0 is an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/json/strict_json.h"
#include "tests/fuzz/time_per_byte.h"

namespace {

using akin::json::Json;
using Event = nlohmann::detail::parse_event_t;

/// What the library reads, and whether an object has a key twice or values are nested too deep.
struct Loose {
  Json value;
  bool is_refused = false;
};

Loose parse_loosely(std::string_view body) {
  Loose loose;
  std::vector<std::set<std::string>> keys;
  std::size_t depth = 0;
  const auto look = [&](int, Event event, Json& parsed) {
    if (event == Event::object_start || event == Event::array_start) {
      keys.emplace_back();
      if (++depth > akin::json::kMaxJsonDepth) loose.is_refused = true;
    } else if (event == Event::object_end || event == Event::array_end) {
      keys.pop_back();
      --depth;
    } else if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
      loose.is_refused = true;
    }
    return true;
  };
  loose.value = Json::parse(body, look, false);
  // The library takes a byte 0 for the end, and ignores what follows.
  if (body.find('\0') != std::string_view::npos) loose.is_refused = true;
  return loose;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  akin::fuzz::check_time(body, {.before = "[", .between = ",", .after = "]"},
                         [](std::string_view repeated) { (void)akin::json::parse_json(repeated); });
  const akin::Result<Json> strict = akin::json::parse_json(body);
  const Loose loose = parse_loosely(body);
  const bool is_taken = !loose.value.is_discarded() && !loose.is_refused;
  if (strict.has_value() != is_taken) std::abort();
  if (strict.has_value() && strict->dump() != loose.value.dump()) std::abort();
  if (strict.has_error() && (strict.error().what.empty() || strict.error().reason.empty())) std::abort();
  return 0;
}
