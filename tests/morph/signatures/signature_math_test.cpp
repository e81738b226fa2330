#include "morph/signatures/signature_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace akin {
namespace {

TEST(SignatureMath, ProbabilitiesAreThoseOfThePapers) {
  // "Method of shingles": 6 groups of 14, and 14 of 6.
  EXPECT_NEAR(supershingle_probability(0.7, {6, 14}), 0.04, 0.001);
  EXPECT_NEAR(supershingle_probability(0.5, {6, 14}), 0.0003, 0.0001);
  EXPECT_NEAR(supershingle_probability(0.7, {14, 6}), 0.83, 0.005);
  // Zagorulko et al. 2013: two supershingles of 6 x 14, "about 90 %" at 0.95 and "practically zero" at 0.75.
  EXPECT_NEAR(megashingle_probability(0.95, {6, 14}), 0.8786, 0.0001);
  EXPECT_NEAR(megashingle_probability(0.75, {6, 14}), 0.0045, 0.0001);
}

TEST(SignatureMath, ThePapersShareAtNineTenthsIsNotThatOfItsFormula) {
  // The paper prints "about 0.98" for 6 groups of 14 at 0.9; its formula (10) gives 0.79 there, and 0.98 at
  // 0.95.
  EXPECT_NEAR(supershingle_probability(0.9, {6, 14}), 0.78957, 0.00001);
  EXPECT_NEAR(supershingle_probability(0.95, {6, 14}), 0.98192, 0.00001);
}

TEST(SignatureMath, ProbabilitiesGrowFromNoughtToOne) {
  for (const Grouping grouping : {Grouping{1, 1}, Grouping{6, 14}, Grouping{14, 6}, Grouping{1000, 1}}) {
    double last = 0;
    for (int i = 0; i <= 100; ++i) {
      const double now = supershingle_probability(i / 100.0, grouping);
      EXPECT_GE(now, last);
      EXPECT_LE(megashingle_probability(i / 100.0, grouping), now);
      last = now;
    }
    EXPECT_EQ(supershingle_probability(0, grouping), 0);
    EXPECT_EQ(supershingle_probability(1, grouping), 1);
    EXPECT_EQ(megashingle_probability(1, grouping), grouping.groups > 1 ? 1 : 0);
    EXPECT_NEAR(supershingle_probability(half_similarity(grouping), grouping), 0.5, 1e-12);
  }
  // Small ones keep their digits: n groups of a probability p find about n p, and two of them n(n-1)/2 p².
  EXPECT_NEAR(supershingle_probability(0.01, {14, 6}) / 14e-12, 1, 1e-9);
  EXPECT_NEAR(megashingle_probability(0.01, {14, 6}) / 91e-24, 1, 1e-9);
  // Both ways of computing it agree where one takes over from the other.
  for (const Grouping grouping : {Grouping{2, 1}, Grouping{14, 6}, Grouping{64, 4}, Grouping{1000, 1}}) {
    const auto groups = static_cast<double>(grouping.groups);
    const double there = std::pow(0.5 / groups, 1 / static_cast<double>(grouping.size));
    EXPECT_NEAR(megashingle_probability(there * (1 - 1e-12), grouping),
                megashingle_probability(there * (1 + 1e-12), grouping), 1e-11);
  }
}

TEST(SignatureMath, ChosenGroupingsFindEnoughAndAreTheStrictest) {
  const struct {
    double similarity, recall;
    std::uint64_t functions;
  } rows[] = {{0.7, 0.83, 84}, {0.7, 0.8, 84},  {0.9, 0.99, 84},
              {0.5, 0.95, 84}, {0.95, 0.5, 10}, {0.3, 0.9, 500}};
  for (const auto& row : rows) {
    const auto chosen = choose_grouping(row.similarity, row.recall, row.functions);
    ASSERT_TRUE(chosen.has_value());
    EXPECT_LE(chosen->groups * chosen->size, row.functions);
    EXPECT_GE(supershingle_probability(row.similarity, *chosen), row.recall);
    if (chosen->groups > 1) {
      EXPECT_LT(supershingle_probability(row.similarity, {chosen->groups - 1, chosen->size}), row.recall);
    }
    for (std::uint64_t size = chosen->size + 1; size <= row.functions; ++size) {
      EXPECT_LT(supershingle_probability(row.similarity, {row.functions / size, size}), row.recall);
    }
  }
  EXPECT_EQ(choose_grouping(0.7, 0.82, 84), (Grouping{14, 6}));
  EXPECT_FALSE(choose_grouping(0.1, 0.9, 10).has_value());
}

TEST(CollisionMath, EstimatesAreThoseOfThePapersTable2) {
  const struct {
    unsigned bits;
    double bound, at_1, at_10, at_40;
  } rows[] = {{32, 65536, 9291.486835, 30083.8817, 66241.66888},
              {40, 1048576, 148663.7894, 481342.1072, 1059866.702},
              {48, 16777216, 2378620.63, 7701473.715, 16957867.23},
              {56, 268435456, 38057930.08, 123223579.4, 271325875.7},
              {64, 4294967296, 608926881.2, 1971577271, 4341214012},
              {72, 68719476736, 9742830100, 31545236336, 69459424188}};
  for (const auto& row : rows) {
    EXPECT_EQ(birthday_bound(hash_range(row.bits)), row.bound);
    EXPECT_NEAR(values_for_collision(0.01, hash_range(row.bits)) / row.at_1, 1, 1e-9);
    EXPECT_NEAR(values_for_collision(0.1, hash_range(row.bits)) / row.at_10, 1, 1e-9);
    EXPECT_NEAR(values_for_collision(0.4, hash_range(row.bits)) / row.at_40, 1, 1e-9);
  }
}

/// 1 - Π (1 - i/R), one factor after the other.
double slow_probability(double values, unsigned bits) {
  long double rest = 1;
  for (long double i = 0; i < values; ++i) rest *= 1 - i / std::ldexp(1.0L, static_cast<int>(bits));
  return static_cast<double>(1 - rest);
}

TEST(CollisionMath, ExactProbabilityIsTheProduct) {
  EXPECT_NEAR(collision_probability(3, hash_range(1)), 1, 0);
  EXPECT_NEAR(collision_probability(2, hash_range(1)), 0.5, 1e-15);
  EXPECT_NEAR(collision_probability(2, hash_range(64)), std::ldexp(1.0, -64), 1e-32);
  EXPECT_EQ(collision_probability(1, hash_range(32)), 0);
  for (const unsigned bits : {2U, 8U, 16U, 17U, 20U, 32U, 40U}) {
    for (const double values : {2.0, 3.0, 4.0, 23.0, 200.0, 1'000.0, 30'000.0, 100'000.0}) {
      if (values > std::ldexp(1.0, static_cast<int>(bits))) continue;
      EXPECT_NEAR(collision_probability(values, hash_range(bits)), slow_probability(values, bits), 1e-10)
          << values << " of " << bits;
    }
  }
  EXPECT_NEAR(collision_probability(values_for_collision(0.1, hash_range(64)), hash_range(64)), 0.1, 1e-9);
}

TEST(CollisionMath, ExpectedCollisions) {
  EXPECT_NEAR(expected_colliding_pairs(10'376'876, hash_range(32)), 12'535.549, 0.001);
  // N - R (1 - (1 - 1/R)^N): every value after the first is lost with the probability (N-1)/R, nearly.
  EXPECT_NEAR(expected_lost_values(10'376'876, hash_range(32)), 12'525.4595, 0.0001);
  EXPECT_NEAR(expected_lost_values(2, hash_range(64)) / std::ldexp(1.0, -64), 1, 1e-9);
  EXPECT_NEAR(
      expected_lost_values(10'376'876, hash_range(64)) / expected_colliding_pairs(10'376'876, hash_range(64)),
      1, 1e-9);
  EXPECT_NEAR(expected_lost_values(2, hash_range(1)), 0.5, 1e-12);
  EXPECT_NEAR(expected_lost_values(1'000, hash_range(1)), 998, 1e-9);
  EXPECT_NEAR(expected_lost_values(10, hash_range(8)), 10 - 256 * (1 - std::pow(255.0 / 256, 10)), 1e-10);
}

TEST(CollisionMath, AFingerprintHasItsPrimeAsRange) {
  // Table 3 of the paper: 13,089 of about 10,291,000 different shingles, with the prime of its program.
  EXPECT_NEAR(expected_lost_values(10'291'000, 4'049'561'377), 13'065, 1);
  EXPECT_NEAR(collision_probability(23, 365), 0.507297, 1e-6);
}

}  // namespace
}  // namespace akin
