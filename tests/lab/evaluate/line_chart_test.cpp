#include "lab/evaluate/line_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace akin::evaluate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LineChartTest, PlacesPointsByTheirValues) {
  const std::string drawn = svg({.title = "found",
                                 .x_title = "t",
                                 .y_title = "pairs",
                                 .x_from = 0.5,
                                 .x_to = 1,
                                 .y_to = 100,
                                 .lines = {{"one", {{0.5, 100}, {0.75, 50}, {1, 0}}}}});
  // The plot is from (64,44) to (800,404).
  EXPECT_THAT(drawn, HasSubstr("points=\"64,44 432,224 800,404\""));
  EXPECT_THAT(drawn, HasSubstr(">100</text>"));
  EXPECT_THAT(drawn, HasSubstr(">0.6</text>"));
}

TEST(LineChartTest, RoundsTheScaleUp) {
  const std::string drawn = svg({.title = "", .x_title = "", .y_title = "", .y_to = 173, .lines = {}});
  EXPECT_THAT(drawn, HasSubstr(">200</text>"));
  EXPECT_THAT(drawn, HasSubstr(">150</text>"));
  EXPECT_THAT(drawn, Not(HasSubstr(">250</text>")));
}

TEST(LineChartTest, NamesAreTextAndNotMarkup) {
  const std::string drawn =
      svg({.title = "<script>&", .x_title = "", .y_title = "", .y_to = 1, .lines = {{"a<b>", {}}}});
  EXPECT_THAT(drawn, Not(HasSubstr("<script>")));
  EXPECT_THAT(drawn, HasSubstr("&lt;script&gt;&amp;"));
  EXPECT_THAT(drawn, HasSubstr("a&lt;b&gt;"));
}

}  // namespace
}  // namespace akin::evaluate
