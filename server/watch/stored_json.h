// Reads the fields of JSON that this server itself has written into its state.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "server/json/strict_json.h"

namespace akin::watch {

/// Microseconds since the epoch, as times are stored.
[[nodiscard]] inline std::uint64_t to_number(Time time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}
[[nodiscard]] inline Time to_time(std::uint64_t microseconds) {
  return Time(std::chrono::microseconds(static_cast<std::int64_t>(microseconds)));
}

/// Reads what `encode` wrote, by `read(const Json&) -> Value`. Error: corrupt, for any unreadable bytes.
template <class Read>
auto read_stored(std::string_view stored, std::string_view what, const Read& read)
    -> Result<decltype(read(json::Json()))> {
  try {
    return read(json::Json::parse(stored));
  } catch (const json::Json::exception& failure) {
    return Error{Errc::corrupt, std::string(what), std::string("cannot be read: ") + failure.what(),
                 "restore the folder 'state' from a backup"};
  }
}

}  // namespace akin::watch
