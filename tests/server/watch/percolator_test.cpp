#include "server/watch/percolator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "index/overlap/overlap.h"

namespace akin::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FeatureSequence sequence_of(const std::vector<std::uint64_t>& values) {
  FeatureSequence sequence;
  for (const std::uint64_t value : values) {
    sequence.hashes.push_back(Feature(value));
    sequence.ranges.emplace_back();
  }
  return sequence;
}

StandingQuery query_of(const std::vector<std::uint64_t>& values, std::uint64_t bound, double share = 0.0) {
  return {std::make_shared<const FeatureSequence>(sequence_of(values)), bound, share};
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> matches(const std::vector<StandingQuery>& queries,
                                                             const FeatureSequence& document) {
  Percolator percolator(queries);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
  for (const QueryMatch& match : percolator.match(document)) found.emplace_back(match.query, match.x);
  return found;
}

TEST(Percolator, FindsQueriesOverTheirOwnBounds) {
  const auto document = sequence_of({1, 2, 3, 4});
  EXPECT_THAT(matches({query_of({1, 2}, 1), query_of({1, 2}, 2), query_of({9, 4}, 0)}, document),
              ElementsAre(std::pair(0U, 2U), std::pair(2U, 1U)));
}

TEST(Percolator, CountsRepetitionsOnBothSides) {
  EXPECT_THAT(matches({query_of({7, 7, 7}, 0)}, sequence_of({7, 7, 8})), ElementsAre(std::pair(0U, 2U)));
  EXPECT_THAT(matches({query_of({7, 8}, 0)}, sequence_of({7, 7, 7})), ElementsAre(std::pair(0U, 1U)));
}

TEST(Percolator, ContainmentIsTheShareOfTheQuery) {
  const auto document = sequence_of({1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(matches({query_of({1, 2, 90, 91}, 0, 0.5), query_of({1, 2, 90, 91}, 0, 0.51)}, document),
              ElementsAre(std::pair(0U, 2U)));
}

TEST(Percolator, FeatureZeroIsAFeature) {
  EXPECT_THAT(matches({query_of({0}, 0)}, sequence_of({0})), ElementsAre(std::pair(0U, 1U)));
}

TEST(Percolator, NothingSharedIsNothing) {
  EXPECT_THAT(matches({query_of({1}, 0), query_of({}, 0)}, sequence_of({2})), IsEmpty());
  EXPECT_THAT(matches({}, sequence_of({2})), IsEmpty());
  EXPECT_THAT(matches({query_of({1}, 0)}, sequence_of({})), IsEmpty());
}

TEST(Percolator, EqualsTheDefinitionOnRandomDocuments) {
  std::mt19937_64 random(20260521);
  const auto values = [&](std::size_t most) {
    std::vector<std::uint64_t> list(random() % most);
    for (auto& value : list) value = random() % 60;
    return list;
  };
  std::vector<StandingQuery> queries;
  for (int i = 0; i < 200; ++i)
    queries.push_back(query_of(values(30), random() % 6, double(random() % 4) / 8));
  Percolator percolator(queries);
  for (int round = 0; round < 200; ++round) {
    const auto document = sequence_of(values(60));
    std::vector<std::pair<std::uint32_t, std::uint64_t>> expected;
    for (std::uint32_t at = 0; at < queries.size(); ++at) {
      const Overlap shared = overlap(queries[at].features->hashes, document.hashes);
      if (shared.x > queries[at].bound && shared.containment() >= queries[at].min_containment)
        expected.emplace_back(at, shared.x);
    }
    std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
    for (const QueryMatch& match : percolator.match(document)) found.emplace_back(match.query, match.x);
    ASSERT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace akin::watch
