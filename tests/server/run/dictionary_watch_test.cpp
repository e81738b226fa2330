// The time of day at which outdated collections are rebuilt.
#include "server/run/dictionary_watch.h"

#include <gtest/gtest.h>

#include <ctime>

namespace akin::test {
namespace {

std::tm at(int day, int hour, int minute) {
  std::tm time{};
  time.tm_year = 126;
  time.tm_yday = day;
  time.tm_hour = hour;
  time.tm_min = minute;
  return time;
}

TEST(MinuteOfDay, IsHoursAndMinutes) {
  EXPECT_EQ(api::parse_minute_of_day("00:00").value(), 0);
  EXPECT_EQ(api::parse_minute_of_day("03:30").value(), 210);
  EXPECT_EQ(api::parse_minute_of_day("23:59").value(), 1439);
  for (const char* wrong : {"", "3", "3:30", "03:3", "24:00", "03:60", "-1:00", "03:30 ", "ab:cd", "+3:30"})
    EXPECT_EQ(api::parse_minute_of_day(wrong).error().code, Errc::invalid_argument) << wrong;
}

TEST(DailyTime, ComesOnceADay) {
  api::DailyTime time(210);
  EXPECT_FALSE(time.comes(at(5, 3, 29)));
  EXPECT_TRUE(time.comes(at(5, 3, 30)));
  EXPECT_FALSE(time.comes(at(5, 3, 31)));
  EXPECT_FALSE(time.comes(at(5, 23, 59)));
  EXPECT_FALSE(time.comes(at(6, 3, 29)));
  EXPECT_TRUE(time.comes(at(6, 3, 45)));
}

TEST(DailyTime, HasPassedForAServerThatStartsAfterIt) {
  api::DailyTime time(210);
  EXPECT_FALSE(time.comes(at(5, 15, 0)));
  EXPECT_FALSE(time.comes(at(5, 15, 1)));
  EXPECT_TRUE(time.comes(at(6, 3, 30)));
}

TEST(DailyTime, ComesOnTheFirstDayOfTheYear) {
  api::DailyTime time(210);
  EXPECT_FALSE(time.comes(at(364, 12, 0)));
  std::tm next = at(0, 3, 30);
  next.tm_year = 127;
  EXPECT_TRUE(time.comes(next));
}

}  // namespace
}  // namespace akin::test
