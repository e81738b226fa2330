#include "cli/frame/moment.h"

#include <charconv>
#include <chrono>
#include <string>

namespace akin::cli {

namespace {

/// The seconds of a unit of time; 0 if it is none.
std::int64_t seconds_of(std::string_view unit) {
  if (unit == "s") return 1;
  if (unit == "m") return 60;
  if (unit == "h") return 3'600;
  return unit == "d" ? 86'400 : 0;
}

}  // namespace

Result<std::optional<Time>> read_moment(std::string_view flag, std::string_view text) {
  if (text.empty()) return std::optional<Time>();
  std::int64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::int64_t unit = seconds_of({end, static_cast<std::size_t>(text.data() + text.size() - end)});
  constexpr std::int64_t kMost = 100'000;
  if (failure == std::errc() && count > 0 && count <= kMost && unit > 0)
    return std::optional(time_now() + std::chrono::seconds(count * unit));
  const auto time = parse_time(text);
  const std::string what = std::string(flag) + " '" + std::string(text) + "'";
  if (time && *time <= time_now())
    return Error{Errc::invalid_argument, what, "is in the past", "give a time in the future"};
  if (time) return std::optional(*time);
  return Error{Errc::invalid_argument, what, "is not a time",
               "give days, hours, minutes or seconds from now (90d, 12h, 30m, 45s), or a time such as "
               "2030-01-01T00:00:00Z"};
}

}  // namespace akin::cli
