#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/evaluate/passage_cases.h"

namespace akin::evaluate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

PassageCase known(const char* text, const char* source, TextRange a, TextRange b, std::uint64_t line) {
  return {.reuse = {text, source, a, b}, .line = line};
}

FoundSource found(const char* text, const char* source, std::vector<Passage> passages) {
  return {{text, source}, std::move(passages)};
}

TEST(PassageReport, PassagesOfPairsWithoutACaseDoNotCount) {
  const PassageReport report = report_passages(
      {known("a", "s", {0, 10}, {0, 10}, 2)}, {},
      {found("a", "s", {{.a = {0, 10}, .b = {0, 10}}}), found("a", "t", {{.a = {0, 10}, .b = {0, 10}}})});
  EXPECT_DOUBLE_EQ(report.measures.precision, 1);
  EXPECT_DOUBLE_EQ(report.measures.plagdet, 1);
  EXPECT_EQ(report.measures.found, 1U);
}

TEST(PassageReport, FurtherPassagesOfAPairWithACaseCostPrecision) {
  const PassageReport report =
      report_passages({known("a", "s", {0, 10}, {0, 10}, 2)}, {},
                      {found("a", "s", {{.a = {0, 10}, .b = {0, 10}}, {.a = {50, 60}, .b = {50, 60}}})});
  EXPECT_DOUBLE_EQ(report.measures.precision, 0.5);
  EXPECT_DOUBLE_EQ(report.measures.recall, 1);
}

TEST(PassageReport, OtherPairsAreKnownOrUnlisted) {
  const PassageReport report =
      report_passages({known("a", "s", {0, 10}, {0, 10}, 2)}, {{"a", "s"}, {"a", "t"}, {"b", "u"}},
                      {found("a", "s", {}), found("a", "t", {}), found("b", "s", {})});
  EXPECT_THAT(report.known, ElementsAre(Pair("a", "t")));
  EXPECT_THAT(report.unlisted, ElementsAre(Pair("b", "s")));
}

TEST(PassageReport, APairIsFoundEvenIfItsCaseIsMissed) {
  const PassageReport report =
      report_passages({known("a", "s", {0, 10}, {0, 10}, 2), known("a", "s", {20, 30}, {20, 30}, 3),
                       known("b", "s", {0, 10}, {0, 10}, 4)},
                      {}, {found("a", "s", {{.a = {20, 30}, .b = {20, 30}}})});
  EXPECT_EQ(report.pairs, 2U);
  EXPECT_EQ(report.pairs_found, 1U);
  EXPECT_EQ(report.measures.known_found, 1U);
  ASSERT_EQ(report.missed.size(), 2U);
  EXPECT_EQ(report.missed[0].line, 2U);
  EXPECT_EQ(report.missed[1].line, 4U);
}

TEST(PassageReport, OfNothingFoundIsAllMissed) {
  const PassageReport report = report_passages({known("a", "s", {0, 10}, {0, 10}, 2)}, {{"a", "t"}}, {});
  EXPECT_EQ(report.measures.recall, 0);
  EXPECT_EQ(report.pairs_found, 0U);
  EXPECT_EQ(report.missed.size(), 1U);
  EXPECT_THAT(report.known, IsEmpty());
}

}  // namespace
}  // namespace akin::evaluate
