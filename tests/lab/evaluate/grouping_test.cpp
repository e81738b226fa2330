#include "lab/evaluate/grouping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace akin::evaluate {
namespace {

using test::must;
using testing::HasSubstr;

LabelledSet five_texts() {
  return {.texts = std::vector<std::string>(5),
          .names = {"a", "b", "c", "d", "e"},
          .pairs = {{0, 1, Judgement::duplicate}, {0, 2, Judgement::different}, {3, 4, Judgement::duplicate}},
          .unlisted = Unlisted::unknown};
}

Result<Grouping> judged(const std::string& rows, const LabelledSet& set = five_texts()) {
  return judge_groups(set, must(tables::read_delimited("group,id\n" + rows, "groups.csv")));
}

TEST(Grouping, EveryTwoTextsOfAGroupAreFound) {
  const Grouping grouping = must(judged("1,c\n1,b\n1,a\n2,e\n"));
  EXPECT_EQ(grouping.groups, 1U);  // one text is not a group
  EXPECT_EQ(grouping.texts, 3U);
  EXPECT_EQ(grouping.pairs.found, 2U);     // ab and ac
  EXPECT_EQ(grouping.pairs.wrong, 1U);     // ac
  EXPECT_EQ(grouping.pairs.unjudged, 1U);  // bc
  EXPECT_EQ(grouping.pairs.missed, 1U);    // de
  EXPECT_EQ(grouping.pairs.first_kind(), 0.5);
  EXPECT_EQ(grouping.pairs.second_kind(), 0.5);
}

TEST(Grouping, TextsOfOthersAreLeftOut) {
  const Grouping grouping = must(judged("1,x\n1,d\n1,e\n2,y\n2,a\n"));
  EXPECT_EQ(grouping.groups, 1U);
  EXPECT_EQ(grouping.pairs.found, 1U);
}

TEST(Grouping, NoGroupsFindNothing) {
  const Grouping grouping = must(judged(""));
  EXPECT_EQ(grouping.pairs.found, 0U);
  EXPECT_EQ(grouping.pairs.missed, 2U);
}

TEST(Grouping, WrongTablesAreTold) {
  EXPECT_THAT(judged("1,a\n2,a\n").error().message(), HasSubstr("groups.csv line 3"));
  EXPECT_THAT(judged("1,x\n1,y\n").error().message(), HasSubstr("none of its ids"));
  LabelledSet nameless = five_texts();
  nameless.names.clear();
  EXPECT_THAT(judged("1,a\n", nameless).error().message(), HasSubstr("no names"));
  EXPECT_THAT(judge_groups(five_texts(), must(tables::read_delimited("id\na\n", "t"))).error().message(),
              HasSubstr("'group'"));
}

}  // namespace
}  // namespace akin::evaluate
