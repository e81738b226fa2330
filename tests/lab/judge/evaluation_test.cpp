// Learning curves and candidate_rules over made-up pairs.
#include "lab/judge/evaluation.h"

#include <gtest/gtest.h>

#include "lab/judge/untrained.h"
#include "tests/server/judge/judge_fixture.h"

namespace akin::judge {
namespace {

/// Words that no two documents share by chance.
std::string sentence(int number) {
  const std::string word = std::to_string(number);
  return "слово" + word + " дело" + word + " место" + word + " время" + word + ". ";
}

/// Pair i: with the label its documents share three of four sentences, else one.
std::vector<LabelledPair> made_pairs(int count) {
  std::vector<LabelledPair> pairs;
  for (int i = 0; i < count; ++i) {
    LabelledPair pair;
    pair.label = i % 2 == 0;
    const int first = i * 10;
    const int shared = pair.label ? 3 : 1;
    for (int s = 0; s < 4; ++s) {
      pair.a.text += sentence(first + s);
      pair.b.text += sentence(first + (s < shared ? s : s + 5));
    }
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(LearningCurves, RiseToOneWhereACriterionTells) {
  CurveOptions options;
  options.sets = {{"sentences", {Criterion::sentences}}, {"title", {Criterion::title}}};
  options.sizes = {4, 20, 40, 1000};
  options.repeats = 3;
  const auto curves = need(learning_curves(made_pairs(80), {}, dictionary(), options));
  ASSERT_EQ(curves.size(), 2U);
  const Curve& sentences = curves[0];
  EXPECT_EQ(sentences.points[0].repeats, 0U);  // too few for five folds
  EXPECT_EQ(sentences.points[1].repeats, 3U);
  EXPECT_EQ(sentences.points[2].f_measure, 1.0);
  EXPECT_EQ(sentences.points[2].deviation, 0.0);
  EXPECT_EQ(sentences.points[3].repeats, 0U);                                     // more than there are
  for (const CurvePoint& point : curves[1].points) EXPECT_EQ(point.repeats, 0U);  // there are no titles
}

TEST(LearningCurves, AreTheSameForTheSameSeed) {
  CurveOptions options;
  options.sets = {{"words", {Criterion::words}}};
  options.sizes = {30};
  options.repeats = 2;
  const auto pairs = made_pairs(60);
  const auto one = need(learning_curves(pairs, {}, dictionary(), options));
  const auto other = need(learning_curves(pairs, {}, dictionary(), options));
  EXPECT_EQ(one[0].points[0].f_measure, other[0].points[0].f_measure);
  EXPECT_EQ(one[0].points[0].precision, other[0].points[0].precision);
}

TEST(LearningCurves, CountClassificationsWithMargins) {
  CurveOptions options;
  options.sets = {{"sentences", {Criterion::sentences}}};
  options.sizes = {40};
  options.repeats = 3;
  const auto curves = need(learning_curves(made_pairs(80), {}, dictionary(), options));
  const ClassificationCounts& decided = curves[0].points[0].decided;
  EXPECT_EQ(decided.precision(), 1.0);
  EXPECT_EQ(decided.recall(), 1.0);
  EXPECT_GT(decided.right_yes, 30U);  // of three splits
}

TEST(Untrained, AreaUnderTheCurveIsTheShareOfOrderedPairs) {
  EXPECT_EQ(area_under_curve(std::vector{0.9, 0.8, 0.2, 0.1}, {true, true, false, false}), 1.0);
  EXPECT_EQ(area_under_curve(std::vector{0.9, 0.8, 0.2, 0.1}, {false, false, true, true}), 0.0);
  EXPECT_EQ(area_under_curve(std::vector{0.9, 0.5, 0.6, 0.1}, {true, true, false, false}), 0.75);
  EXPECT_EQ(area_under_curve(std::vector{0.5, 0.5}, {true, false}), 0.5);
  EXPECT_EQ(area_under_curve(std::vector{0.5}, {true}), 0.5);
}

TEST(Untrained, BestFMeasureTakesEqualScoresTogether) {
  EXPECT_EQ(best_f_measure(std::vector{0.9, 0.8, 0.2}, {true, true, false}), 1.0);
  EXPECT_EQ(best_f_measure(std::vector{0.5, 0.5, 0.5}, {true, false, false}), 0.5);
  EXPECT_EQ(best_f_measure(std::vector{0.5}, {false}), 0.0);
}

TEST(Untrained, RuleAndCriteriaAreMeasuredBesideABaseline) {
  const auto pairs = made_pairs(20);
  const auto rows = need(measure_untrained(pairs, std::vector{pairs[0].a}, dictionary()));
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_EQ(rows[0].name, "TF-IDF of character 4-grams");
  EXPECT_EQ(rows[0].auc, 1.0);
  EXPECT_EQ(rows[6].name, "rule event");
  EXPECT_EQ(rows[6].auc, 1.0);
  EXPECT_TRUE(rows[6].has_threshold);
  EXPECT_FALSE(rows[5].has_threshold);
}

TEST(Groups, JoinPairsWithACommonDocument) {
  auto pairs = made_pairs(6);
  pairs[3].b.text = pairs[1].a.text;
  pairs[4].a.id = pairs[5].b.id = "same";
  const auto groups = groups_of(pairs);
  EXPECT_EQ(groups[3], groups[1]);
  EXPECT_EQ(groups[4], groups[5]);
  EXPECT_NE(groups[0], groups[1]);
  EXPECT_NE(groups[0], groups[4]);
}

TEST(Collection, CountsADocumentOnce) {
  auto pairs = made_pairs(2);
  pairs[1] = pairs[0];
  const std::vector<Document> background{pairs[0].a};
  const auto statistics = need(count_collection(pairs, background, dictionary()));
  EXPECT_EQ(statistics.texts.documents(), 2U);
  EXPECT_EQ(statistics.titles.documents(), 0U);
}

TEST(Nominations, CountWhatEachWayFinds) {
  const auto rows = need(measure_candidate_rules(made_pairs(20), {}, dictionary()));
  ASSERT_EQ(rows.size(), 5U);
  for (const CandidateRuleRow& row : rows) {
    EXPECT_EQ(row.documents, 40U);
    EXPECT_EQ(row.positives, 10U);
    EXPECT_EQ(row.negatives, 10U);
    if (row.candidate_rule == CandidateRule::sentences) {
      EXPECT_EQ(row.positives_found, 10U);
      EXPECT_EQ(row.negatives_found, 10U);
      EXPECT_EQ(row.generated, 20U);
    }
    if (row.candidate_rule == CandidateRule::sentence_pairs) {
      EXPECT_EQ(row.positives_found, 10U);
      EXPECT_EQ(row.negatives_found, 0U);
    }
  }
}

TEST(Training, TellsWhichPairsAStreamWouldCompare) {
  std::vector<LabelledPair> pairs = made_pairs(6);
  pairs[1].b.text = "Ничего общего нет. Совсем.";
  const auto statistics = need(count_collection(pairs, {}, dictionary()));
  const ComparedPairs counts = need(count_compared(pairs, statistics, dictionary()));
  EXPECT_EQ(counts.positives, 3U);
  EXPECT_EQ(counts.compared_positives, 3U);
  EXPECT_EQ(counts.negatives, 3U);
  EXPECT_EQ(counts.compared_negatives, 2U);
}

TEST(Examples, BothWaysGiveEachPairTwice) {
  const auto pairs = made_pairs(3);
  const CollectionStatistics none;
  const auto examples = need(compare_pairs(pairs, groups_of(pairs), {&dictionary(), &none, true}));
  ASSERT_EQ(examples.size(), 6U);
  EXPECT_EQ(examples[0].values[index_of(Criterion::sentences)],
            examples[1].values[index_of(Criterion::sentences_back)]);
  EXPECT_EQ(examples[4].group, examples[5].group);
  EXPECT_EQ(examples[0].label, examples[1].label);
}

}  // namespace
}  // namespace akin::judge
