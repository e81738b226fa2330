#include "lab/evaluate/rank_correlation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace akin::evaluate {
namespace {

using Values = std::vector<double>;

/// The slow twin: every two items compared, ties counted in maps, the variance by Kendall's formula.
KendallTau by_definition(const Values& first, const Values& second) {
  KendallTau tau;
  const std::size_t n = first.size();
  tau.items = n;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double order = (first[i] - first[j]) * (second[i] - second[j]);
      if (order > 0) ++tau.concordant;
      if (order < 0) ++tau.discordant;
      if (first[i] == first[j]) ++tau.tied_first;
      if (second[i] == second[j]) ++tau.tied_second;
    }
  }
  const auto sum = [](const Values& values, const auto& term) {
    std::map<double, double> sizes;
    for (const double value : values) sizes[value] += 1;
    double total = 0;
    for (const auto& [value, size] : sizes) total += term(size);
    return total;
  };
  const auto spread = [](double t) { return t * (t - 1) * (2 * t + 5); };
  const auto pairs = [](double t) { return t * (t - 1); };
  const auto triples = [](double t) { return t * (t - 1) * (t - 2); };
  const auto size = static_cast<double>(n);
  tau.variance = (spread(size) - sum(first, spread) - sum(second, spread)) / 18 +
                 sum(first, pairs) * sum(second, pairs) / (2 * pairs(size)) +
                 sum(first, triples) * sum(second, triples) / (9 * triples(size));
  return tau;
}

void expect_equal(const KendallTau& fast, const KendallTau& slow) {
  EXPECT_EQ(fast.items, slow.items);
  EXPECT_EQ(fast.concordant, slow.concordant);
  EXPECT_EQ(fast.discordant, slow.discordant);
  EXPECT_EQ(fast.tied_first, slow.tied_first);
  EXPECT_EQ(fast.tied_second, slow.tied_second);
  EXPECT_NEAR(fast.variance, slow.variance, 1e-9 * (1 + slow.variance));
}

// Bykov and Krizhanovsky 2023, figure 4: ten pairs in the order of a measure, and what the expert said.
TEST(KendallTauTest, CountsTheTableOfThePaperByHand) {
  const Values measure = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  const Values expert = {1, 1, 1, 0, 1, 0, 0, 1, 0, 1};
  const KendallTau tau = kendall_tau(measure, expert);
  EXPECT_EQ(tau.concordant, 4U + 4U + 4U + 3U + 1U);
  EXPECT_EQ(tau.discordant, 3U + 2U + 2U + 1U);
  EXPECT_EQ(tau.tied_first, 0U);
  EXPECT_EQ(tau.tied_second, 15U + 6U);
  EXPECT_DOUBLE_EQ(*tau.tau_a(), 8.0 / 45);
  EXPECT_DOUBLE_EQ(*tau.tau_b(), 8.0 / std::sqrt(45.0 * 24.0));
  // (10·9·25 − 6·5·17 − 4·3·13) / 18 = 88
  EXPECT_DOUBLE_EQ(tau.variance, 88.0);
  EXPECT_DOUBLE_EQ(*tau.z(), 8.0 / std::sqrt(88.0));
  EXPECT_DOUBLE_EQ(*tau.z_without_ties(), 3.0 * 8.0 / std::sqrt(10.0 * 9.0 * 25.0 / 2.0));
  EXPECT_NEAR(*tau.p(), 0.3938, 0.0001);  // of 0.8528, from a table of the normal distribution
}

// The figures are those of scipy 1.17.1: kendalltau(method="asymptotic"), spearmanr and pearsonr.
TEST(KendallTauTest, AgreesWithScipyWhereBothHaveTies) {
  const Values first = {12, 2, 1, 12, 2, 5, 5, 7, 7, 7, 3, 9};
  const Values second = {1, 4, 7, 1, 0, 3, 3, 3, 2, 8, 6, 4};
  const KendallTau tau = kendall_tau(first, second);
  expect_equal(tau, by_definition(first, second));
  EXPECT_NEAR(*tau.tau_b(), -0.314060312330961, 1e-15);
  EXPECT_NEAR(*tau.p(), 0.17996777347288084, 1e-15);
  EXPECT_NEAR(*spearman(first, second), -0.34168212096478556, 1e-15);
  EXPECT_NEAR(*pearson(first, second), -0.3765515167624735, 1e-15);
}

TEST(KendallTauTest, AgreesWithItsSlowTwin) {
  std::mt19937 random(20231);
  for (const int distinct : {1, 2, 3, 10, 1000}) {
    for (std::size_t n = 3; n < 70; ++n) {
      std::uniform_int_distribution<int> value(0, distinct - 1);
      Values first(n);
      Values second(n);
      std::generate(first.begin(), first.end(), [&] { return value(random) / 7.0; });
      std::generate(second.begin(), second.end(), [&] { return value(random) / 3.0; });
      SCOPED_TRACE(testing::Message() << distinct << " values, " << n << " items");
      expect_equal(kendall_tau(first, second), by_definition(first, second));
    }
  }
}

TEST(KendallTauTest, IsOneForEqualOrdersAndMinusOneForOpposite) {
  const Values up = {1, 2, 2, 3, 5, 8, 8, 8, 9};
  Values down(up.size());
  std::transform(up.begin(), up.end(), down.begin(), std::negate<>());
  EXPECT_DOUBLE_EQ(*kendall_tau(up, up).tau_b(), 1.0);
  EXPECT_DOUBLE_EQ(*kendall_tau(up, down).tau_b(), -1.0);
  EXPECT_LT(*kendall_tau(up, up).tau_a(), 1.0);
}

TEST(KendallTauTest, HasNoValueWithoutOrder) {
  for (const auto& [first, second] : std::vector<std::pair<Values, Values>>{
           {{}, {}}, {{1}, {2}}, {{1, 1, 1}, {1, 2, 3}}, {{1, 2, 3}, {0, 0, 0}}}) {
    const KendallTau tau = kendall_tau(first, second);
    EXPECT_FALSE(tau.tau_b());
    EXPECT_FALSE(tau.z());
    EXPECT_FALSE(tau.p());
  }
}

TEST(KendallTauTest, CountsMillionsOfItems) {
  const std::size_t n = 1'000'000;
  Values first(n);
  std::iota(first.begin(), first.end(), 0.0);
  Values second(first.rbegin(), first.rend());
  const KendallTau tau = kendall_tau(first, second);
  EXPECT_EQ(tau.discordant, n * (n - 1) / 2);
  EXPECT_EQ(tau.concordant, 0U);
}

TEST(CorrelationTest, PearsonByHand) {
  // Means 3 and 4; products 4, squares 10 and 8.
  EXPECT_DOUBLE_EQ(*pearson(Values{1, 2, 3, 4, 5}, Values{4, 2, 4, 6, 4}), 4.0 / std::sqrt(10.0 * 8.0));
  EXPECT_FALSE(pearson(Values{1, 1}, Values{1, 2}));
  EXPECT_FALSE(pearson(Values{1}, Values{1}));
}

TEST(CorrelationTest, SpearmanTakesMeanRanksOfTies) {
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: products 4.5, squares 4.5 and 5.
  EXPECT_DOUBLE_EQ(*spearman(Values{1, 7, 7, 100}, Values{-3, 0, 1, 2}), 4.5 / std::sqrt(4.5 * 5.0));
}

TEST(PrecisionTest, CountsRelevantOnes) {
  const Values scores = {0.9, 0.1, 0.8, 0.7};
  const std::vector<bool> relevant = {true, true, false, true};
  EXPECT_EQ(precision_at(scores, relevant, std::vector<std::size_t>{1, 2, 3, 4}),
            (Values{1.0, 0.5, 2.0 / 3, 0.75}));
}

TEST(PrecisionTest, TakesTheExpectationOverOrdersOfEqualScores) {
  // One above, relevant; then four equal ones, one of them relevant; the cut leaves two of the four.
  const Values scores = {5, 1, 1, 1, 1, 0};
  const std::vector<bool> relevant = {true, false, true, false, false, true};
  EXPECT_EQ(precision_at(scores, relevant, std::vector<std::size_t>{3}), (Values{(1 + 1 * 0.5) / 3}));
  Values shuffled_scores = scores;
  std::reverse(shuffled_scores.begin(), shuffled_scores.end());
  EXPECT_EQ(precision_at(shuffled_scores, {relevant.rbegin(), relevant.rend()}, std::vector<std::size_t>{3}),
            (Values{0.5}));
}

}  // namespace
}  // namespace akin::evaluate
