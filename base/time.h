// Points in time.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

/// UTC, to the microsecond.
using Time = std::chrono::sys_time<std::chrono::microseconds>;

[[nodiscard]] Time time_now() noexcept;

/// "2024-05-17T08:30:00.250Z"; digits below the millisecond are cut off. Requires a time from 1970 on.
[[nodiscard]] std::string format_time(Time time);
/// "2024-05-17T08:30:00.250001Z"
[[nodiscard]] std::string format_time_exactly(Time time);

/// The moment that parse_rfc3339 reads, if any.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text);

}  // namespace akin
