#include "base/time.h"

#include <gtest/gtest.h>

namespace akin {
namespace {

TEST(Time, IsWrittenToTheMillisecondOrExactly) {
  const Time time(std::chrono::microseconds(1'709'164'800'999'999));
  EXPECT_EQ(format_time(time), "2024-02-29T00:00:00.999Z");
  EXPECT_EQ(format_time_exactly(time), "2024-02-29T00:00:00.999999Z");
}

TEST(Time, IsReadAsItIsWritten) {
  const Time now = time_now();
  EXPECT_EQ(parse_time(format_time_exactly(now)), now);
}

TEST(Time, IsNotReadFromOtherTexts) { EXPECT_EQ(parse_time("tomorrow"), std::nullopt); }

}  // namespace
}  // namespace akin
