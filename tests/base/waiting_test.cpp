#include "base/waiting.h"

#include <gtest/gtest.h>

namespace akin {
namespace {

TEST(CheckWork, EndsWorkThatNobodyWants) {
  EXPECT_TRUE(check_work().has_value());
  std::stop_source stop;
  const WorkUnder under(nullptr, stop.get_token());
  EXPECT_TRUE(check_work().has_value());
  stop.request_stop();
  EXPECT_EQ(check_work().error().code, Errc::busy);
}

}  // namespace
}  // namespace akin
