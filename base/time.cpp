#include "base/time.h"

#include "base/rfc3339.h"

namespace akin {

using std::chrono::microseconds;

Time time_now() noexcept { return std::chrono::floor<microseconds>(std::chrono::system_clock::now()); }

std::string format_time_exactly(Time time) {
  return format_rfc3339(static_cast<std::uint64_t>(time.time_since_epoch().count()));
}

std::string format_time(Time time) {
  std::string text = format_time_exactly(time);
  constexpr std::size_t kBehindMilliseconds = 4;  // three digits and the Z
  text.replace(text.size() - kBehindMilliseconds, kBehindMilliseconds, "Z");
  return text;
}

std::optional<Time> parse_time(std::string_view text) {
  const auto moment = parse_rfc3339(text);
  return moment ? std::optional(Time(microseconds(*moment))) : std::nullopt;
}

}  // namespace akin
