#include "index/overlap/passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

#include "tests/support/processor_time.h"
#include "tests/support/sequences.h"

namespace akin::test {
namespace {

std::vector<Passage> passages_of(const Values& a, const Values& b) {
  return shared_passages(make_sequence(a), make_sequence(b));
}

std::vector<std::uint64_t> lengths_of(const std::vector<Passage>& passages) {
  std::vector<std::uint64_t> lengths;
  for (const Passage& passage : passages) lengths.push_back(passage.features);
  return lengths;
}

std::uint64_t total_of(const std::vector<Passage>& passages) {
  return std::accumulate(passages.begin(), passages.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Passage& passage) { return sum + passage.features; });
}

using Lengths = std::vector<std::uint64_t>;

struct Case {
  const char* name;
  Values a, b;
  Lengths lengths;
};

class PassagesOf : public testing::TestWithParam<Case> {};

TEST_P(PassagesOf, HaveTheseLengths) {
  EXPECT_EQ(lengths_of(passages_of(GetParam().a, GetParam().b)), GetParam().lengths);
}

INSTANTIATE_TEST_SUITE_P(
    Passages, PassagesOf,
    testing::Values(Case{"nothing_shared", {1, 2}, {3, 4}, {}}, Case{"empty", {}, {1}, {}},
                    Case{"the_same_text", {1, 2, 3, 4}, {1, 2, 3, 4}, {4}},
                    Case{"a_fragment", {5, 6}, {1, 2, 3, 4, 5, 6, 7}, {2}},
                    Case{"a_gap_in_a", {1, 2, 9, 3, 4}, {1, 2, 3, 4}, {2, 2}},
                    Case{"a_gap_in_b", {1, 2, 3, 4}, {1, 2, 9, 3, 4}, {2, 2}},
                    Case{"moved_sentences", {1, 2, 3, 4}, {3, 4, 1, 2}, {2, 2}},
                    Case{"the_longer_run_wins", {7, 1, 2, 3}, {7, 5, 7, 1, 2, 3}, {4}},
                    Case{"an_early_single_does_not_cut_a_run", {2, 8, 1, 2, 3}, {1, 2, 3}, {3}},
                    Case{"more_equal_features_in_a", {1, 1, 1}, {1}, {1}},
                    Case{"more_equal_features_in_b", {1}, {1, 1, 1}, {1}},
                    Case{"a_frequent_feature_joins_the_run_behind_it",
                         {1, 2, 3},
                         {1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 2, 3},
                         {3}}),
    [](const testing::TestParamInfo<Case>& row) { return row.param.name; });

TEST(Passages, RangeIsTheUnionOfItsFeatures) {
  const std::vector<Passage> passages = passages_of({9, 1, 2, 8, 7}, {6, 6, 1, 2, 5});
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].a, (TextRange{10, 40}));
  EXPECT_EQ(passages[0].b, (TextRange{20, 50}));
}

TEST(Passages, AreSortedByTheirPlaceInA) {
  const std::vector<Passage> passages = passages_of({1, 2, 9, 3, 4, 9, 5}, {5, 0, 3, 4, 0, 1, 2});
  EXPECT_TRUE(std::is_sorted(passages.begin(), passages.end(),
                             [](const Passage& l, const Passage& r) { return l.a.begin < r.a.begin; }));
  EXPECT_EQ(lengths_of(passages), (Lengths{2, 2, 1}));
}

TEST(Passages, AddUpToXOnRandomMultisets) {
  for (const std::uint64_t vocabulary : {2U, 5U, 40U, 1000U}) {
    RandomValues random(3, vocabulary, 1);
    for (int round = 0; round < 300; ++round) {
      const Values a = random.values(120);
      const Values b = random.values(120);
      EXPECT_EQ(total_of(passages_of(a, b)), naive_x(a, b));
    }
  }
}

TEST(Passages, UseNoPlaceTwice) {
  RandomValues random(5, 6, 1);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Passage> passages = passages_of(random.values(60), random.values(60));
    std::set<std::uint32_t> used;
    for (const Passage& passage : passages) {
      for (std::uint64_t i = 0; i < passage.features; ++i) {
        EXPECT_TRUE(used.insert(passage.b.begin + static_cast<std::uint32_t>(i) * kSentenceLength).second);
      }
    }
  }
}

TEST(Passages, OfAMillionEqualFeaturesAreOneAndTakeLinearTime) {
  const Values million(1'000'000, 42);
  const auto start = processor_time();
  EXPECT_EQ(lengths_of(passages_of(million, million)), (Lengths{1'000'000}));
  EXPECT_LT(processor_time() - start, std::chrono::seconds(30));
}

TEST(Passages, OfAMillionFeaturesOfTwoKindsTakeLinearTime) {
  RandomValues random(11, 2, 1);
  Values a(1'000'000);
  Values b(1'000'000);
  for (std::uint64_t& value : a) value = random.below(2);
  for (std::uint64_t& value : b) value = random.below(2);
  const auto start = processor_time();
  EXPECT_EQ(total_of(passages_of(a, b)), naive_x(a, b));
  EXPECT_LT(processor_time() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace akin::test
