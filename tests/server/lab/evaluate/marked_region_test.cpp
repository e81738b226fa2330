#include "server/lab/evaluate/marked_region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace akin::evaluate {
namespace {

using testing::HasSubstr;

TEST(MarkedRegionTest, ReplacesWhatStandsBetweenTheMarks) {
  const std::string page = "head\n<!-- begin a -->\nold\n<!-- end a -->\ntail <!-- begin b -->\n";
  const std::string changed = with_region(page, "a", "new").value();
  EXPECT_EQ(changed, "head\n<!-- begin a -->\n\nnew\n\n<!-- end a -->\ntail <!-- begin b -->\n");
  EXPECT_EQ(with_region(changed, "a", "new\n").value(), changed);
}

TEST(MarkedRegionTest, TellsWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is not in the document"},
      {"<!-- begin a -->\n", "'<!-- end a -->'"},
      {"<!-- end a -->\n<!-- begin a -->\n", "ends before it begins"},
      {"<!-- begin a -->\n<!-- begin a -->\n<!-- end a -->\n", "twice"},
  };
  for (const auto& [page, complaint] : cases) {
    EXPECT_THAT(with_region(page, "a", "x").error().message(), HasSubstr(complaint)) << page;
  }
}

}  // namespace
}  // namespace akin::evaluate
