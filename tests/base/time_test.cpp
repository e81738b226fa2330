#include "base/time.h"

#include <gtest/gtest.h>

#include <string>

namespace akin {
namespace {

struct Row {
  const char* text;
  const char* instant;  ///< in UTC; nullptr: not a time
};

class TimeTexts : public ::testing::TestWithParam<Row> {};

TEST_P(TimeTexts, AreReadAsInstants) {
  const auto time = parse_time(GetParam().text);
  ASSERT_EQ(time.has_value(), GetParam().instant != nullptr);
  if (time) {
    EXPECT_EQ(format_time_exactly(*time), GetParam().instant);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Time, TimeTexts,
    ::testing::Values(Row{"2024-02-29", "2024-02-29T00:00:00.000000Z"}, Row{"2023-02-29", nullptr},
                      Row{"2024-05-17T08:30:00Z", "2024-05-17T08:30:00.000000Z"},
                      Row{"2024-05-17t08:30:00z", "2024-05-17T08:30:00.000000Z"},
                      Row{"2024-05-17 08:30:00Z", "2024-05-17T08:30:00.000000Z"},
                      Row{"2024-05-17T08:30:00.25Z", "2024-05-17T08:30:00.250000Z"},
                      Row{"2024-05-17T08:30:00.1234567Z", "2024-05-17T08:30:00.123456Z"},
                      Row{"2024-01-01T01:30:00+03:00", "2023-12-31T22:30:00.000000Z"},
                      Row{"2024-01-01T01:30:00-00:30", "2024-01-01T02:00:00.000000Z"},
                      Row{"2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"}, Row{"", nullptr},
                      Row{"2024", nullptr}, Row{"2024-13-01", nullptr}, Row{"2024-05-17T08:30Z", nullptr},
                      Row{"2024-05-17T08:30:00", nullptr}, Row{"2024-05-17T24:00:00Z", nullptr},
                      Row{"2024-05-17T08:30:00.Z", nullptr}, Row{"2024-05-17T08:30:00+3:00", nullptr},
                      Row{"2024-05-17T08:30:00Zx", nullptr}, Row{"+024-05-17", nullptr}));

TEST(Time, IsWrittenToTheMillisecond) {
  EXPECT_EQ(format_time(*parse_time("1969-12-31T23:59:59.999999Z")), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace akin
