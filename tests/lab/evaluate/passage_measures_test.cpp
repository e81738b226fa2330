#include "lab/evaluate/passage_measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace akin::evaluate {
namespace {

Reuse reuse(TextRange a, TextRange b) { return {"document", "source", a, b}; }

TEST(PassageMeasures, WhatIsKnownAndNothingElseMeasuresOne) {
  const std::vector<Reuse> all = {reuse({0, 10}, {5, 15}), reuse({20, 40}, {50, 75})};
  const PassageMeasures measures = measure_passages(all, all);
  EXPECT_DOUBLE_EQ(measures.recall, 1);
  EXPECT_DOUBLE_EQ(measures.precision, 1);
  EXPECT_DOUBLE_EQ(measures.granularity, 1);
  EXPECT_DOUBLE_EQ(measures.plagdet, 1);
  EXPECT_EQ(measures.known_found, 2U);
}

TEST(PassageMeasures, NothingFoundMeasuresZero) {
  const PassageMeasures measures = measure_passages({reuse({0, 10}, {5, 15})}, {});
  EXPECT_EQ(measures.recall, 0);
  EXPECT_EQ(measures.precision, 0);
  EXPECT_EQ(measures.granularity, 1);
  EXPECT_EQ(measures.plagdet, 0);
}

TEST(PassageMeasures, SharesAreOfTheCharactersOfBothSides) {
  const PassageMeasures measures =
      measure_passages({reuse({0, 10}, {100, 130})}, {reuse({5, 15}, {100, 110})});
  EXPECT_DOUBLE_EQ(measures.recall, (5 + 10) / 40.0);
  EXPECT_DOUBLE_EQ(measures.precision, (5 + 10) / 20.0);
}

TEST(PassageMeasures, MeansAreOverPassagesAndNotOverCharacters) {
  const PassageMeasures measures = measure_passages(
      {reuse({0, 10}, {0, 10}), reuse({100, 1'100}, {100, 1'100})}, {reuse({0, 10}, {0, 10})});
  EXPECT_DOUBLE_EQ(measures.recall, 0.5);
  EXPECT_EQ(measures.known_found, 1U);
}

TEST(PassageMeasures, AKnownPassageThatIsFoundInPiecesCostsGranularity) {
  const PassageMeasures measures = measure_passages(
      {reuse({0, 10}, {0, 10})}, {reuse({0, 4}, {0, 4}), reuse({4, 7}, {4, 7}), reuse({6, 10}, {6, 10})});
  EXPECT_DOUBLE_EQ(measures.recall, 1);
  EXPECT_DOUBLE_EQ(measures.precision, 1);
  EXPECT_DOUBLE_EQ(measures.granularity, 3);
  EXPECT_DOUBLE_EQ(measures.plagdet, 0.5);
}

TEST(PassageMeasures, PassagesMeetOnlyIfBothSidesOverlapInTheSameDocuments) {
  const std::vector<Reuse> known = {reuse({0, 10}, {0, 10})};
  EXPECT_EQ(measure_passages(known, {reuse({0, 10}, {10, 20})}).known_found, 0U);
  EXPECT_EQ(measure_passages(known, {{"document", "other", {0, 10}, {0, 10}}}).known_found, 0U);
  EXPECT_EQ(measure_passages(known, {reuse({9, 12}, {9, 12})}).known_found, 1U);
}

}  // namespace
}  // namespace akin::evaluate
