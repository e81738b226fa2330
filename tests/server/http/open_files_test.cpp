// What a limit of open files leaves for connections and collections.
#include "server/http/open_files.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace akin::http {
namespace {

constexpr OpenFiles kWanted{.connections = 2048, .collections = 256};

TEST(OpenFiles, AreAllThatIsWantedIfTheyFit) {
  const OpenFiles fitting = fit_open_files(kWanted, 4096).value();
  EXPECT_EQ(fitting.connections, 2048U);
  EXPECT_EQ(fitting.collections, 256U);
}

TEST(OpenFiles, LeaveRoomForEachOtherUnderALowLimit) {
  for (std::size_t limit = 96; limit < 3584; ++limit) {
    const OpenFiles fitting = fit_open_files(kWanted, limit).value();
    const std::size_t refused = std::min<std::size_t>(64, fitting.connections / 4 + 1);
    EXPECT_LE(fitting.connections + refused + 4 * fitting.collections + 32, limit) << limit;
    EXPECT_GE(fitting.connections, 12U) << limit;
    EXPECT_GE(fitting.collections, 4U) << limit;
  }
}

TEST(OpenFiles, AreNoMoreThanIsWanted) {
  const OpenFiles fitting = fit_open_files({.connections = 5, .collections = 3}, 200).value();
  EXPECT_EQ(fitting.connections, 5U);
  EXPECT_EQ(fitting.collections, 3U);
}

TEST(OpenFiles, OfATooLowLimitAreRefused) {
  const Result<OpenFiles> refused = fit_open_files(kWanted, 95);
  ASSERT_TRUE(refused.has_error());
  EXPECT_NE(refused.error().message().find("it is 95, and a server needs 96"), std::string::npos);
  EXPECT_NE(refused.error().remedy.find("ulimit"), std::string::npos);
}

}  // namespace
}  // namespace akin::http
