#include "server/state/lived_time.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <sstream>
#include <utility>

#include "base/process_name.h"
#include "server/state/clock_keys.h"

namespace akin::state {
namespace {

/// A later one is stored only after this time: a restart loses no more.
constexpr std::chrono::minutes kStoredEvery{10};

std::optional<LivedTime> decode(const std::optional<std::string>& value) {
  if (!value) return std::nullopt;
  std::istringstream words(*value);
  std::int64_t time = 0, since_boot = 0;
  LivedTime lived;
  if (!(words >> time >> since_boot >> lived.boot)) return std::nullopt;
  lived.time = Time(std::chrono::microseconds(time));
  lived.since_boot = std::chrono::microseconds(since_boot);
  return lived;
}

std::string encode(const LivedTime& lived) {
  return std::to_string(lived.time.time_since_epoch().count()) + ' ' +
         std::to_string(lived.since_boot.count()) + ' ' + lived.boot;
}

Result<std::optional<LivedTime>> stored(const State& state) {
  AKIN_TRY(const auto value, state.get(Table::clock, kLived));
  return decode(value);
}

}  // namespace

ClockReading ClockReading::now() {
  static const std::string boot = boot_id();
  std::timespec since{};
  clock_gettime(CLOCK_BOOTTIME, &since);
  return {time_now(), boot,
          std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::seconds(since.tv_sec) +
                                                                std::chrono::nanoseconds(since.tv_nsec))};
}

Time LivedTime::at(const ClockReading& reading) const {
  if (reading.wall <= time + kNoJump) return reading.wall;
  const bool comparable = reading.boot == boot && reading.since_boot > since_boot;
  const auto passed = comparable ? reading.since_boot - since_boot : std::chrono::microseconds(0);
  return std::min(reading.wall, time + kCatchingUp * passed);
}

Result<Time> lived_time(const State& state, const ClockReading& reading) {
  AKIN_TRY(const std::optional<LivedTime> before, stored(state));
  return before ? before->at(reading) : reading.wall;
}

Result<Time> advance_lived_time(State& state, const ClockReading& reading) {
  AKIN_TRY(const std::optional<LivedTime> before, stored(state));
  const Time time = before ? before->at(reading) : reading.wall;
  const bool fresh = before && before->boot == reading.boot && before->time <= time &&
                     reading.since_boot - before->since_boot < kStoredEvery;
  if (!fresh) AKIN_CHECK(state.put(Table::clock, kLived, encode({time, reading.boot, reading.since_boot})));
  return time;
}

}  // namespace akin::state
