// What other thresholds would have said about a stored check.
#include "server/check/preview.h"

#include <gtest/gtest.h>

namespace akin::check {
namespace {

using json::Json;

/// A check that found 30 % of the text, 20 % of it in one document, and 10 % in earlier texts of its author.
Json found(const Json& reasons = Json::array()) {
  return {{"share", 0.3},
          {"own_share", 0.1},
          {"sources", {{{"share", 0.05}}, {{"share", 0.2}}}},
          {"reasons", reasons}};
}

Policy without_thresholds() {
  Policy policy;
  policy.review_share = policy.refuse_share = policy.review_source_share = policy.refuse_source_share = {};
  return policy;
}

TEST(VerdictWith, NoThresholdIsReachedWithoutAValue) {
  EXPECT_EQ(verdict_with(found(), without_thresholds()), Verdict::pass);
}

TEST(VerdictWith, AShareReachesAThresholdThatIsEqual) {
  Policy policy = without_thresholds();
  policy.review_share = 0.3;
  EXPECT_EQ(verdict_with(found(), policy), Verdict::review);
  policy.review_share = 0.31;
  EXPECT_EQ(verdict_with(found(), policy), Verdict::pass);
  policy.refuse_share = 0.3;
  EXPECT_EQ(verdict_with(found(), policy), Verdict::refuse);
}

TEST(VerdictWith, TheLargestSourceCounts) {
  Policy policy = without_thresholds();
  policy.refuse_source_share = 0.2;
  EXPECT_EQ(verdict_with(found(), policy), Verdict::refuse);
}

TEST(VerdictWith, EarlierTextsOfTheAuthorAreReviewed) {
  Policy policy = without_thresholds();
  policy.review_own_share = 0.1;
  EXPECT_EQ(verdict_with(found(), policy), Verdict::review);
}

TEST(VerdictWith, ReasonsOfSharesGoAndOthersStay) {
  const Policy policy = without_thresholds();
  EXPECT_EQ(verdict_with(found({{{"kind", "share"}, {"verdict", "refuse"}}}), policy), Verdict::pass);
  EXPECT_EQ(verdict_with(found({{{"kind", "disguise"}, {"verdict", "review"}}}), policy), Verdict::review);
}

}  // namespace
}  // namespace akin::check
