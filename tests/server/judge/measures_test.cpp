#include "server/judge/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace akin::judge {
namespace {

using Hashes = std::vector<std::uint64_t>;

Hashes numbers(std::mt19937_64& random, std::size_t most, std::uint64_t values) {
  Hashes result(random() % (most + 1));
  for (auto& value : result) value = random() % values;
  return result;
}

/// Distance by the recursion of its definition.
std::size_t slow_distance(const Hashes& a, const Hashes& b) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
  const auto distance = [&](const auto& self, std::size_t i, std::size_t j) -> std::size_t {
    if (i == 0 || j == 0) return i + j;
    if (const auto found = known.find({i, j}); found != known.end()) return found->second;
    std::size_t least = std::min(self(self, i - 1, j), self(self, i, j - 1)) + 1;
    least = std::min(least, self(self, i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1));
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
      least = std::min(least, self(self, i - 2, j - 2) + 1);
    }
    return known[{i, j}] = least;
  };
  return distance(distance, a.size(), b.size());
}

TEST(DamerauLevenshtein, CountsEachKindOfEditOnce) {
  const struct {
    Hashes a, b;
    std::size_t distance;
  } rows[] = {{{}, {}, 0},
              {{1, 2, 3}, {1, 2, 3}, 0},
              {{1, 2, 3}, {}, 3},
              {{1, 2, 3}, {1, 3}, 1},
              {{1, 3}, {1, 2, 3}, 1},
              {{1, 2, 3}, {1, 9, 3}, 1},
              {{6, 4}, {4, 6}, 1},  // the paper's tennis set
              {{1, 6, 4, 2}, {1, 4, 6, 2}, 1},
              {{1, 2, 3}, {3, 2, 1}, 2},
              {{3, 1}, {1, 2, 3}, 3}};  // where what was exchanged might be edited again it would be 2
  for (const auto& row : rows) {
    EXPECT_EQ(damerau_levenshtein(row.a, row.b), row.distance);
    EXPECT_EQ(damerau_levenshtein(row.b, row.a), row.distance);
  }
}

TEST(DamerauLevenshtein, IsThatOfTheRecursionOnRandomSequences) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const Hashes a = numbers(random, 12, 4);
    const Hashes b = numbers(random, 12, 4);
    ASSERT_EQ(damerau_levenshtein(a, b), slow_distance(a, b));
  }
}

TEST(OrderSimilarity, IsOneForEqualAndUndefinedForNothing) {
  EXPECT_EQ(order_similarity(Hashes{1, 2}, Hashes{1, 2}), 1.0);
  EXPECT_EQ(order_similarity(Hashes{6, 4}, Hashes{4, 6}), 0.5);
  EXPECT_EQ(order_similarity(Hashes{1}, Hashes{}), 0.0);
  EXPECT_TRUE(std::isnan(order_similarity(Hashes{}, Hashes{})));
}

TEST(SetMeasures, AreThoseOfStdSet) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    Hashes a = numbers(random, 20, 30);
    Hashes b = numbers(random, 20, 30);
    make_set(a);
    make_set(b);
    const std::set<std::uint64_t> in_a(a.begin(), a.end());
    std::set<std::uint64_t> all = in_a;
    double shared = 0;
    for (const auto value : b) {
      shared += in_a.contains(value) ? 1 : 0;
      all.insert(value);
    }
    if (!a.empty()) {
      ASSERT_EQ(containment(a, b), shared / static_cast<double>(a.size()));
    }
    if (!all.empty()) {
      ASSERT_EQ(resemblance(a, b), shared / static_cast<double>(all.size()));
    }
  }
  EXPECT_TRUE(std::isnan(containment({}, Hashes{1})));
  EXPECT_TRUE(std::isnan(resemblance({}, {})));
}

TEST(WeightedContainment, WeighsWhatIsSharedByItsOwnWeight) {
  const std::vector<Weighted> a{{1, 1.0F}, {2, 3.0F}, {5, 4.0F}};
  const std::vector<Weighted> b{{2, 9.0F}, {5, 9.0F}, {7, 9.0F}};
  EXPECT_EQ(weighted_containment(a, b), 7.0 / 8.0);
  EXPECT_EQ(weighted_containment(b, a), 18.0 / 27.0);
  EXPECT_EQ(weighted_containment(a, a), 1.0);
  EXPECT_EQ(weighted_containment(a, {}), 0.0);
  EXPECT_TRUE(std::isnan(weighted_containment({}, a)));
}

TEST(Cosine, IsExactlyOneForEqualAndNeverMore) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Weighted> a;
    for (std::uint64_t hash = 0; hash < 50; ++hash) {
      a.push_back({hash * 3, static_cast<float>(random() % 1000 + 1) / 77.0F});
    }
    const double square = dot(a, a);
    ASSERT_EQ(cosine(a, square, a, square), 1.0);
    std::vector<Weighted> twice = a;
    for (auto& element : twice) element.weight *= 3.1F;
    ASSERT_LE(cosine(a, square, twice, dot(twice, twice)), 1.0);
    ASSERT_NEAR(cosine(a, square, twice, dot(twice, twice)), 1.0, 1e-6);
  }
  const std::vector<Weighted> x{{1, 3.0F}, {2, 4.0F}};
  const std::vector<Weighted> y{{2, 5.0F}};
  EXPECT_DOUBLE_EQ(cosine(x, 25, y, 25), 0.8);
  EXPECT_TRUE(std::isnan(cosine({}, 0, y, 25)));
}

TEST(CountSimilarity, IsOneMinusTheDifferenceOverTheLarger) {
  EXPECT_EQ(count_similarity(0, 0), 1.0);
  EXPECT_EQ(count_similarity(4, 4), 1.0);
  EXPECT_EQ(count_similarity(0, 3), 0.0);
  EXPECT_EQ(count_similarity(1, 4), 0.25);
  EXPECT_EQ(count_similarity(4, 1), 0.25);
}

TEST(Nearness, HalvesWithEachDay) {
  EXPECT_EQ(nearness(100, 100), 1.0);
  EXPECT_EQ(nearness(0, 86400), 0.5);
  EXPECT_EQ(nearness(2 * 86400, 0), 0.25);
  EXPECT_GE(nearness(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()),
            0.0);
}

}  // namespace
}  // namespace akin::judge
