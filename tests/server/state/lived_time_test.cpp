#include "server/state/lived_time.h"

#include <gtest/gtest.h>

#include "tests/server/state/state_place.h"

namespace akin::state {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;

const Time kStart{days(20'000)};
constexpr std::chrono::microseconds kUp = hours(5);

/// A reading `wall` after the start by a clock that may have jumped, when `passed` has passed.
ClockReading reading(std::chrono::microseconds wall, std::chrono::microseconds passed,
                     std::string boot = "first") {
  return {kStart + wall, std::move(boot), kUp + passed};
}

Time at(const ClockReading& later) { return LivedTime{kStart, "first", kUp}.at(later); }

TEST(LivedTime, IsTheClocks) {
  EXPECT_EQ(at(reading(hours(1), hours(1))), kStart + hours(1));
  EXPECT_EQ(at(reading(hours(20), hours(0), "second")), kStart + hours(20));
}

TEST(LivedTime, GoesBackWithTheClock) { EXPECT_EQ(at(reading(-days(400), hours(1))), kStart - days(400)); }

TEST(LivedTime, TakesInAJumpSlowly) {
  EXPECT_EQ(at(reading(days(365), seconds(10))), kStart + kCatchingUp * seconds(10));
  EXPECT_EQ(at(reading(days(365), days(20))), kStart + days(365));
}

TEST(LivedTime, TakesInAJumpWhileTheMachineWasOffSlowly) {
  EXPECT_EQ(at(reading(days(365), hours(1), "second")), kStart);
}

TEST(LivedTime, IsOfAllThatShareTheState) {
  test::StatePlace place;
  const auto state = place.open();
  EXPECT_EQ(lived_time(*state, reading(hours(0), hours(0))).value(), kStart);
  EXPECT_EQ(advance_lived_time(*state, reading(hours(0), hours(0))).value(), kStart);
  EXPECT_EQ(lived_time(*state, reading(days(365), hours(1))).value(), kStart + kCatchingUp * hours(1));
  EXPECT_EQ(advance_lived_time(*state, reading(days(365), hours(1))).value(),
            kStart + kCatchingUp * hours(1));
  // From the advanced time on.
  EXPECT_EQ(lived_time(*state, reading(days(365), hours(2))).value(), kStart + kCatchingUp * hours(2));
  EXPECT_EQ(advance_lived_time(*state, reading(hours(3), hours(3))).value(), kStart + hours(3));
}

TEST(LivedTime, OfThisMachinePasses) {
  const ClockReading before = ClockReading::now(), after = ClockReading::now();
  EXPECT_EQ(before.boot, after.boot);
  EXPECT_FALSE(before.boot.empty());
  EXPECT_LE(before.since_boot, after.since_boot);
}

}  // namespace
}  // namespace akin::state
