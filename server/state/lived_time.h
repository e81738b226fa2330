// The time by which stored things expire. A clock that jumps must not delete at once what was to be kept for
// months.
#pragma once

#include <chrono>
#include <string>

#include "base/time.h"
#include "server/state/state.h"

namespace akin::state {

/// What the machine's clocks say.
struct ClockReading {
  Time wall;
  std::string boot;                        ///< which start of the machine `since_boot` counts from
  std::chrono::microseconds since_boot{};  ///< does not jump

  [[nodiscard]] static ClockReading now();
};

/// How far the clock may be ahead of the lived time without being a jump.
inline constexpr std::chrono::days kNoJump{1};
/// After a jump, lived time follows the clock so many times as fast as time passes: a year in 15 days.
inline constexpr int kCatchingUp = 24;

struct LivedTime {
  Time time;
  /// Of the reading that it was taken at.
  std::string boot;
  std::chrono::microseconds since_boot{};

  /// The time at a later reading: the clock's, also if it was set back, or after a jump, also across an end
  /// of the process, as much of it as has been lived through since.
  [[nodiscard]] Time at(const ClockReading& reading) const;
};

/// The lived time at this reading, of all that share the state; stores it with `advance`. While nothing is
/// stored it is the clock's. Errors: those of State.
[[nodiscard]] Result<Time> lived_time(const State& state, const ClockReading& reading);
[[nodiscard]] Result<Time> advance_lived_time(State& state, const ClockReading& reading);

}  // namespace akin::state
