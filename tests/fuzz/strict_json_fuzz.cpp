// Any bytes as JSON: parse_json takes exactly what the library takes without a double key, too many levels or
// an integer beyond 64 bits, and reads it the same. A byte 0 is an error.
#include <algorithm>
#include <charconv>
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

/// Whether JSON has an integer, as it is written, that 64 bits do not hold.
bool has_large_integer(std::string_view json) {
  constexpr std::string_view kOfNumbers = "0123456789+-.eE";
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] == '"') {
      for (++at; at < json.size() && json[at] != '"'; ++at) at += json[at] == '\\' ? 1 : 0;
    } else if (json[at] == '-' || (json[at] >= '0' && json[at] <= '9')) {
      const std::size_t end = std::min(json.find_first_not_of(kOfNumbers, at), json.size());
      const std::string_view number = json.substr(at, end - at);
      std::uint64_t large = 0;
      std::int64_t negative = 0;
      const char* const last = number.data() + number.size();
      const auto read = number.front() == '-' ? std::from_chars(number.data(), last, negative)
                                              : std::from_chars(number.data(), last, large);
      if (number.find_first_of(".eE") == std::string_view::npos && read.ec != std::errc()) return true;
      at = end - 1;
    }
  }
  return false;
}

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
  if (!loose.value.is_discarded() && has_large_integer(body)) loose.is_refused = true;
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
