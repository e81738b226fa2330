// Points in time as RFC 3339 writes them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace akin {

/// UTC, to the microsecond.
using Time = std::chrono::sys_time<std::chrono::microseconds>;

[[nodiscard]] Time time_now() noexcept;

/// "2024-05-17T08:30:00.250Z"; what is finer than a millisecond is cut off.
[[nodiscard]] std::string format_time(Time time);
/// "2024-05-17T08:30:00.250001Z"
[[nodiscard]] std::string format_time_exactly(Time time);

/// Reads "2024-05-17" (its first moment in UTC), "2024-05-17T08:30:00Z", also with a fraction of a second
/// (what is finer than a microsecond is cut off) and an offset ("+03:00") in place of Z. Nothing for anything
/// else.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text) noexcept;

}  // namespace akin
