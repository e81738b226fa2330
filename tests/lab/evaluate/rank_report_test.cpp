#include "lab/evaluate/rank_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace akin::evaluate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

tables::DelimitedTable table(std::string_view text) {
  return tables::read_delimited(text, "pairs.tsv").value();
}

constexpr std::string_view kPairs =
    "a\tb\tlabel\tx\tcontainment\tresemblance\n"
    "p\tq\tда\t90\t1\t1\n"
    "p\tr\tyes\t80\t0.9\t0.7\n"
    "q\tr\tno\t70\t0.5\t0.4\n"
    "q\ts\t\t60\t0.4\t0.3\n"
    "r\ts\t1\t10\t0.3\t0.35\n";

TEST(RankReportTest, JudgesTheRowsThatHaveALabel) {
  const RankReport report = rank_report(table(kPairs), {.measures = {}, .cuts = {1, 2, 3, 4, 5}}).value();
  EXPECT_EQ(report.pairs, 4U);
  EXPECT_EQ(report.relevant, 3U);
  EXPECT_EQ(report.unlabelled, 1U);
  EXPECT_EQ(report.equal, 0U);
  EXPECT_THAT(report.cuts, ElementsAre(1U, 2U, 3U, 4U));
  ASSERT_EQ(report.measures.size(), 3U);
  EXPECT_EQ(report.measures[0].measure, "x");
  EXPECT_THAT(report.measures[0].precisions, ElementsAre(1.0, 1.0, 2.0 / 3, 0.75));
  // Yes above no twice, below once.
  EXPECT_EQ(report.measures[0].tau.concordant, 2U);
  EXPECT_EQ(report.measures[0].tau.discordant, 1U);
  ASSERT_EQ(report.correlations.size(), 3U);
  EXPECT_EQ(report.correlations[1].second, "resemblance");
  EXPECT_DOUBLE_EQ(*report.correlations[0].tau.tau_b(), 1.0);
  EXPECT_DOUBLE_EQ(*report.correlations[0].spearman, 1.0);
}

TEST(RankReportTest, LeavesEqualPairsOutAsThePaperDoes) {
  const RankReport report =
      rank_report(table(kPairs), {.measures = {"containment"}, .without_equal = true}).value();
  EXPECT_EQ(report.pairs, 3U);
  EXPECT_EQ(report.equal, 1U);
  EXPECT_EQ(report.relevant, 2U);
}

TEST(RankReportTest, TakesOtherColumnsByName) {
  const RankReport report =
      rank_report(table("label,cosine\n1,0.5\n0,0.25\n"), {.measures = {"cosine"}}).value();
  EXPECT_DOUBLE_EQ(*report.measures[0].tau.tau_b(), 1.0);
}

TEST(RankReportTest, TellsWhatIsWrong) {
  const std::vector<std::pair<std::string_view, std::string>> cases = {
      {"a,x\n1,2\n", "no column 'label'"},
      {"a,label\n1,2\n", "has no column with a measure"},
      {"label,x\n1,many\n", "line 2: 'many' in the column 'x' is not a number"},
      {"label,x\n1,nan\n", "is not a number"},
      {"label,x\nperhaps,1\n", "the label 'perhaps'"},
      {"label,x\n,1\n", "no pair in it has a label"},
  };
  for (const auto& [text, complaint] : cases) {
    EXPECT_THAT(rank_report(table(text), {}).error().message(), HasSubstr(complaint));
  }
  EXPECT_THAT(rank_report(table("label,x\n1,1\n"), {.measures = {"y"}}).error().message(),
              HasSubstr("no column 'y'"));
}

// The paper's z is 3(n_c − n_d)/√(n(n−1)(2n+5)/2) of its own τ; and with 34 duplicates among 92 pairs its τ
// cannot exceed 34·58/4186.
TEST(PaperRankTest, FiguresFollowFromOneAnother) {
  const double pairs = 92.0 * 91 / 2;
  for (const PaperRank& paper : kPaperRanks) {
    const double z = 3 * paper.tau * pairs / std::sqrt(92.0 * 91 * 189 / 2);
    EXPECT_NEAR(z, paper.z, 0.0005 * 3 * pairs / std::sqrt(92.0 * 91 * 189 / 2) + 0.005);
    EXPECT_LT(paper.tau, 34.0 * 58 / pairs);
  }
}

}  // namespace
}  // namespace akin::evaluate
