#include "base/rfc3339.h"

#include <gtest/gtest.h>

namespace akin::test {
namespace {

struct Moment {
  const char* name;
  std::string_view text;
  std::int64_t microseconds;
};

class Moments : public testing::TestWithParam<Moment> {};

TEST_P(Moments, AreRead) { EXPECT_EQ(parse_rfc3339(GetParam().text), GetParam().microseconds); }

INSTANTIATE_TEST_SUITE_P(
    Rfc3339, Moments,
    testing::Values(Moment{"epoch", "1970-01-01", 0}, Moment{"date", "2024-02-29", 1'709'164'800'000'000},
                    Moment{"month", "1970-02", 2'678'400'000'000}, Moment{"year", "1971", 31'536'000'000'000},
                    Moment{"before_the_epoch", "1969-12-31T23:59:59Z", -1'000'000},
                    Moment{"first_year", "0000-01-01", -62'167'219'200'000'000},
                    Moment{"small_letters", "1970-01-01t00:00:01z", 1'000'000},
                    Moment{"fraction", "1970-01-01T00:00:00.25Z", 250'000},
                    Moment{"more_than_microseconds", "1970-01-01T00:00:00.1234567Z", 123'456},
                    Moment{"offset_ahead", "1970-01-01T02:00:00+02:00", 0},
                    Moment{"offset_behind", "1969-12-31T20:30:00-03:30", 0},
                    Moment{"leap_second", "2016-12-31T23:59:60Z", 1'483'228'800'000'000}),
    [](const testing::TestParamInfo<Moment>& row) { return row.param.name; });

class NoMoments : public testing::TestWithParam<std::string_view> {};

TEST_P(NoMoments, AreRefused) { EXPECT_EQ(parse_rfc3339(GetParam()), std::nullopt); }

INSTANTIATE_TEST_SUITE_P(Rfc3339, NoMoments,
                         testing::Values("", "202", "2024-", "2024-5", "2024-13", "2024T10:30:00Z",
                                         "2024-5-17", "2023-02-29", "2024-13-01", "2024-00-01", "2024-01-32",
                                         "20240517", "2024-05-17 ", " 2024-05-17", "2024-05-17T",
                                         "2024-05-17T10:30Z", "2024-05-17T10:30:00", "2024-05-17 10:30:00Z",
                                         "2024-05-17T24:00:00Z", "2024-05-17T10:60:00Z",
                                         "2024-05-17T10:30:61Z", "2024-05-17T10:30:00.Z",
                                         "2024-05-17T10:30:00+2:00", "2024-05-17T10:30:00+0200",
                                         "2024-05-17T10:30:00Zx", "-024-05-17", "２０２４-05-17"));

TEST(Rfc3339, WhatIsWrittenIsReadAgain) {
  EXPECT_EQ(format_rfc3339(0), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(format_rfc3339(1'709'164'800'000'250), "2024-02-29T00:00:00.000250Z");
  EXPECT_EQ(parse_rfc3339(format_rfc3339(253'402'300'799'999'999)), 253'402'300'799'999'999);
}

}  // namespace
}  // namespace akin::test
