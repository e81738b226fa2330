// The hyperplane, calibration, folds and training.
#include "server/judge/train_classifier.h"

#include <gmock/gmock.h>
#include <libsvm/svm.h>

#include <cmath>
#include <set>

#include "server/judge/calibration.h"
#include "server/judge/folds.h"
#include "server/judge/svm.h"
#include "tests/server/judge/judge_fixture.h"
#include "tests/server/judge/made_examples.h"

namespace akin::judge {
namespace {

using testing::Each;
using testing::HasSubstr;

Matrix random_rows(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Matrix matrix{columns, {}};
  for (std::size_t i = 0; i < rows * columns; ++i) {
    matrix.values.push_back(static_cast<double>(random() % 2000) / 1000 - 1);
  }
  return matrix;
}

std::vector<bool> above_diagonal(const Matrix& rows) {
  std::vector<bool> labels;
  for (std::size_t i = 0; i < rows.rows(); ++i) labels.push_back(rows.row(i)[0] > rows.row(i)[1]);
  return labels;
}

/// libsvm's own decision values for a model trained on the same rows with equal weights of classes.
std::vector<double> oracle(const Matrix& rows, const std::vector<bool>& labels, double c,
                           const Matrix& tests) {
  const auto nodes_of = [](std::span<const double> row) {
    std::vector<svm_node> nodes;
    for (std::size_t i = 0; i < row.size(); ++i) nodes.push_back({static_cast<int>(i) + 1, row[i]});
    nodes.push_back({-1, 0});
    return nodes;
  };
  std::vector<std::vector<svm_node>> nodes;
  std::vector<svm_node*> pointers;
  std::vector<double> classes;
  for (std::size_t i = 0; i < rows.rows(); ++i) nodes.push_back(nodes_of(rows.row(i)));
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    pointers.push_back(nodes[i].data());
    classes.push_back(labels[i] ? 1 : -1);
  }
  const svm_problem problem{static_cast<int>(classes.size()), classes.data(), pointers.data()};
  svm_parameter settings{};
  settings.svm_type = C_SVC;
  settings.kernel_type = LINEAR;
  settings.C = c;
  settings.cache_size = 10;
  settings.eps = 1e-3;
  settings.shrinking = 1;
  svm_set_print_string_function([](const char*) {});
  svm_model* model = svm_train(&problem, &settings);
  std::vector<double> decisions;
  for (std::size_t i = 0; i < tests.rows(); ++i) {
    double decision = 0;
    svm_predict_values(model, nodes_of(tests.row(i)).data(), &decision);
    decisions.push_back(model->label[0] == 1 ? decision : -decision);
  }
  svm_free_and_destroy_model(&model);
  return decisions;
}

TEST(Svm, DecidesAsLibsvmItself) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Matrix rows = random_rows(60, 3, seed);
    std::vector<bool> labels = above_diagonal(rows);
    // As many of each class, so that the classes' weights are 1.
    const auto positives = static_cast<std::size_t>(std::count(labels.begin(), labels.end(), true));
    for (std::size_t i = 0, surplus = positives; surplus > 30; ++i) {
      if (labels[i]) labels[i] = false, --surplus;
    }
    for (std::size_t i = 0, missing = positives; missing < 30; ++i) {
      if (!labels[i]) labels[i] = true, ++missing;
    }
    const Hyperplane plane = need(train_svm(rows, labels, 2));
    const Matrix tests = random_rows(40, 3, seed + 100);
    const auto expected = oracle(rows, labels, 2, tests);
    for (std::size_t i = 0; i < tests.rows(); ++i) {
      ASSERT_NEAR(plane.decision(tests.row(i)), expected[i], 1e-9) << seed << " " << i;
    }
  }
}

TEST(Svm, LearnsWhatASignedDistanceTells) {
  const Matrix rows = random_rows(200, 2, 9);
  const Hyperplane plane = need(train_svm(rows, above_diagonal(rows), 32));
  EXPECT_GT(plane.decision(std::vector<double>{0.8, -0.8}), 0);
  EXPECT_LT(plane.decision(std::vector<double>{-0.8, 0.8}), 0);
}

TEST(Svm, OneClassAloneIsAnError) {
  const Matrix rows = random_rows(4, 2, 1);
  EXPECT_EQ(train_svm(rows, {true, true, true, true}, 1).error().code, Errc::invalid_argument);
}

TEST(Sigmoid, GivesTheSharesThatWereSeen) {
  // At decision -1 one in ten is positive, at 1 nine in ten.
  std::vector<double> decisions;
  std::vector<bool> labels;
  for (int i = 0; i < 1000; ++i) {
    decisions.push_back(i % 2 == 0 ? -1 : 1);
    labels.push_back(i % 2 == 0 ? i % 20 == 0 : i % 20 != 1);
  }
  const Sigmoid sigmoid = fit_sigmoid(decisions, labels);
  EXPECT_NEAR(sigmoid.probability(-1), 0.1, 0.01);
  EXPECT_NEAR(sigmoid.probability(1), 0.9, 0.01);
  EXPECT_LT(sigmoid.probability(-1e9), 1e-6);
  EXPECT_GT(sigmoid.probability(1e9), 1 - 1e-6);
}

TEST(Sigmoid, NeverFallsAndSurvivesWhatIsDegenerate) {
  EXPECT_EQ(fit_sigmoid(std::vector<double>{1, 2, -1, -2}, {false, false, true, true}).a, 0);
  const Sigmoid perfect = fit_sigmoid(std::vector<double>{-2, -1, 1, 2}, {false, false, true, true});
  EXPECT_LT(perfect.a, 0);
  EXPECT_GT(perfect.probability(2), 0.5);
  EXPECT_LT(perfect.probability(2), 1);
  const Sigmoid same = fit_sigmoid(std::vector<double>{1, 1, 1, 1}, {false, true, true, true});
  EXPECT_TRUE(std::isfinite(same.a) && std::isfinite(same.b));
}

TEST(Margins, ReachTheWantedPrecisionAndNoFurther) {
  const std::vector<double> probabilities{0.95, 0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1};
  const std::vector<bool> labels{true, true, true, false, true, true, false, false, false};
  const Margins all = choose_margins(probabilities, labels, 1.0);
  EXPECT_DOUBLE_EQ(all.yes, 0.75);
  EXPECT_NEAR(all.no, 0.35, 1e-12);
  EXPECT_EQ(all.classify(0.8), Classification::yes);
  EXPECT_EQ(all.classify(0.74), Classification::undecided);
  EXPECT_EQ(all.classify(0.36), Classification::undecided);
  EXPECT_EQ(all.classify(0.3), Classification::no);
  EXPECT_EQ(choose_margins(probabilities, labels, 0.75).yes, 0.5);
}

TEST(Margins, ReachAllOfOneProbabilityOrNone) {
  const std::vector<double> probabilities{0.9, 0.8, 0.8, 0.7, 0.1};
  EXPECT_DOUBLE_EQ(choose_margins(probabilities, {true, true, false, true, false}, 1.0).yes, 0.85);
  EXPECT_DOUBLE_EQ(choose_margins(probabilities, {true, true, true, false, false}, 1.0).yes, 0.75);
}

TEST(Margins, VerdictThatCannotBeHadIsNeverGiven) {
  const Margins margins = choose_margins(std::vector<double>{0.9, 0.8, 0.2}, {false, true, false}, 0.9);
  EXPECT_GT(margins.yes, 1);
  EXPECT_EQ(margins.classify(1.0), Classification::undecided);
  EXPECT_EQ(margins.no, 0.5);
}

TEST(ClassificationCounts, CountUndecidedPositivesAsMissed) {
  ClassificationCounts counts;
  counts.add(Classification::yes, true);
  counts.add(Classification::yes, false);
  counts.add(Classification::no, true);
  counts.add(Classification::undecided, true);
  counts.add(Classification::undecided, false);
  counts.add(Classification::no, false);
  EXPECT_EQ(counts.precision(), 0.5);
  EXPECT_DOUBLE_EQ(counts.recall(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(counts.f_measure(), 0.4);
  EXPECT_EQ(counts.undecided, 2U);
}

TEST(Folds, KeepDocumentsTogetherAndLabelsApart) {
  std::vector<PairKeys> keys;
  std::vector<bool> labels;
  for (int i = 0; i < 60; ++i) {
    // Each document is in two pairs: chains of five pairs.
    keys.push_back(
        {{"d" + std::to_string(i), i % 5 == 4 ? "e" + std::to_string(i) : "d" + std::to_string(i + 1)}});
    labels.push_back(i % 2 == 0);
  }
  const auto groups = group_pairs(keys);
  EXPECT_EQ(std::set(groups.begin(), groups.end()).size(), 12U);
  const auto folds = deal_folds(groups, labels, 4, 1);
  std::vector<std::set<std::size_t>> folds_of_group(12);
  std::vector<int> positives(4), negatives(4);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    folds_of_group[groups[i]].insert(folds[i]);
    ++(labels[i] ? positives : negatives)[folds[i]];
  }
  for (const auto& one : folds_of_group) EXPECT_EQ(one.size(), 1U);
  for (const auto& counts : {positives, negatives}) {
    for (const int count : counts) EXPECT_NEAR(count, 7.5, 1.6);
  }
  EXPECT_EQ(deal_folds(groups, labels, 4, 1), folds);
  EXPECT_NE(deal_folds(groups, labels, 4, 2), folds);
}

TEST(Training, FindsTheCriterionThatTells) {
  TrainingOptions options;
  options.criteria = {Criterion::words, Criterion::title, Criterion::time, Criterion::images};
  const Classifier classifier = need(train_classifier(made_examples(200, 0), options));
  EXPECT_GT(classifier.record.held_out.plain.f_measure(), 0.95);
  // Nothing is known about images.
  EXPECT_EQ(classifier.scaling.criteria, (std::vector{Criterion::words, Criterion::title, Criterion::time}));
  CriteriaValues values;
  values.fill(undefined());
  values[index_of(Criterion::words)] = 0.9;
  EXPECT_EQ(classifier.judge(values).classification, Classification::yes);
  values[index_of(Criterion::words)] = 0.1;
  EXPECT_EQ(classifier.judge(values).classification, Classification::no);
}

TEST(Training, ARowUnlikeAllExamplesIsDecidedByItsSide) {
  TrainingOptions options;
  options.criteria = {Criterion::words};
  const Classifier classifier = need(train_classifier(made_examples(200, 0), options));
  CriteriaValues values;
  values.fill(undefined());
  values[index_of(Criterion::words)] = -5;
  EXPECT_EQ(classifier.judge(values).classification, Classification::no);
  EXPECT_EQ(classifier.scaling.beyond(values), std::vector{Criterion::words});
  values[index_of(Criterion::words)] = 0.5;
  EXPECT_TRUE(classifier.scaling.beyond(values).empty());
}

TEST(Training, MarginsHoldTheWantedPrecisionOnHeldOutExamples) {
  TrainingOptions options;
  options.criteria = {Criterion::words, Criterion::title};
  options.precision = 0.9;
  const Classifier classifier = need(train_classifier(made_examples(300, 0.08), options));
  const ClassificationCounts& classifications = classifier.record.held_out.classifications;
  EXPECT_GE(classifications.precision(), 0.9);
  EXPECT_GT(classifications.right_yes, 20U);
  EXPECT_GE(static_cast<double>(classifications.right_no),
            0.9 * static_cast<double>(classifications.right_no + classifications.wrong_no));
}

TEST(Training, IsDeterministic) {
  const auto examples = made_examples(80, 0.1);
  const Classifier one = need(train_classifier(examples, {}));
  const Classifier other = need(train_classifier(examples, {}));
  EXPECT_EQ(one.plane.weights, other.plane.weights);
  EXPECT_EQ(one.margins.yes, other.margins.yes);
  EXPECT_EQ(one.sigmoid.a, other.sigmoid.a);
}

TEST(Training, AnExamplesOwnLabelSaysNothingOfItsSource) {
  // Each source has published one document: all that is known about it is the label, which must not be used.
  auto examples = made_examples(120, 0);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    examples[i].a.source = "a" + std::to_string(i);
    examples[i].b.source = "b" + std::to_string(i);
    examples[i].values.fill(undefined());
  }
  TrainingOptions options;
  options.criteria = {Criterion::authority};
  EXPECT_TRUE(train_classifier(examples, options).has_error());
  // Sources that recur are informative.
  const Classifier classifier = need(train_classifier(made_examples(120, 0), options));
  EXPECT_EQ(classifier.record.held_out.plain.f_measure(), 1.0);
}

TEST(Training, TooFewOfALabelAreAnError) {
  auto examples = made_examples(40, 0);
  for (std::size_t i = 8; i < examples.size(); ++i) examples[i].label = true;
  const auto trained = train_classifier(examples, {});
  ASSERT_TRUE(trained.has_error());
  EXPECT_THAT(trained.error().reason, HasSubstr("4 groups"));
  for (auto& example : examples) example.group = 0;
  EXPECT_TRUE(train_classifier(examples, {}).has_error());
}

}  // namespace
}  // namespace akin::judge
