#include "index/pairs/pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <stop_token>

#include "base/waiting.h"
#include "index/pairs/level_lists.h"
#include "index/pairs/long_lists.h"
#include "index/pairs/pair_survey.h"
#include "tests/index/pairs/made_lists.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PairsRequest over(std::uint64_t bound) {
  PairsRequest request;
  request.condition.bound = bound;
  return request;
}

PairsRequest containing(double share) {
  PairsRequest request;
  request.condition.min_containment = share;
  return request;
}

PairsRequest resembling(double share) {
  PairsRequest request;
  request.condition.min_resemblance = share;
  return request;
}

TEST(Pairs, ThreeDocumentsGiveTheirPairsInOrder) {
  const MadeLists lists({{1, 2, 3}, {2, 3, 4}, {3, 9}});
  EXPECT_THAT(pairs_of(lists, over(0)), ElementsAre(NumberedPair{0, 1, 2, 3, 3}, NumberedPair{0, 2, 1, 3, 2},
                                                    NumberedPair{1, 2, 1, 3, 2}));
}

TEST(LongestLists, AreFoundUnlessTheWorkIsStopped) {
  Values many(5000);
  std::iota(many.begin(), many.end(), 1);
  const MadeLists lists({many, {7, 9}, {9}});
  std::stop_source stop;
  const WorkUnder under(nullptr, stop.get_token());
  const auto longest = longest_lists(lists, 2);
  ASSERT_TRUE(longest.has_value());
  ASSERT_EQ(longest->size(), 2U);
  EXPECT_EQ(longest->front().documents, 3U);
  stop.request_stop();
  EXPECT_EQ(longest_lists(lists, 2).error().code, Errc::busy);
}

TEST(Pairs, BoundItselfIsNotOver) {
  const MadeLists lists({{1, 2, 3}, {2, 3, 4}, {3, 9}});
  EXPECT_THAT(pairs_of(lists, over(1)), ElementsAre(NumberedPair{0, 1, 2, 3, 3}));
  EXPECT_THAT(pairs_of(lists, over(2)), IsEmpty());
}

TEST(Pairs, RepetitionsCountAsOftenAsBothHaveThem) {
  const MadeLists lists({{7, 7, 7, 1}, {7, 7, 2}, {7, 7, 7, 7}});
  EXPECT_THAT(pairs_of(lists, over(0)), ElementsAre(NumberedPair{0, 1, 2, 4, 3}, NumberedPair{0, 2, 3, 4, 4},
                                                    NumberedPair{1, 2, 2, 3, 4}));
}

TEST(Pairs, ContainmentIsThatOfTheSmallerDocument) {
  const MadeLists lists({{1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 9}});
  EXPECT_THAT(pairs_of(lists, containing(1.0)), ElementsAre(NumberedPair{0, 1, 2, 2, 8}));
}

TEST(Pairs, ResemblanceWeighsBothDocuments) {
  const MadeLists lists({{1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 9}});
  EXPECT_THAT(pairs_of(lists, resembling(0.5)), ElementsAre(NumberedPair{0, 2, 2, 2, 3}));
}

TEST(Pairs, AllConditionsMustHold) {
  const MadeLists lists({{1, 2, 3, 4}, {1, 2, 3, 4}, {5, 6}, {5, 6}});
  PairsRequest request = resembling(1.0);
  request.condition.bound = 2;
  EXPECT_THAT(pairs_of(lists, request), ElementsAre(NumberedPair{0, 1, 4, 4, 4}));
}

TEST(Pairs, NothingSharedGivesNoPairWhateverTheCondition) {
  const MadeLists lists({{1}, {2}, {}, {}});
  EXPECT_THAT(pairs_of(lists, PairsRequest()), IsEmpty());
}

TEST(Pairs, NoDocumentsGiveNoPairs) { EXPECT_THAT(pairs_of(MadeLists({}), over(0)), IsEmpty()); }

TEST(Pairs, HugeBoundGivesNone) {
  EXPECT_THAT(pairs_of(MadeLists({{1}, {1}}), over(std::numeric_limits<std::uint64_t>::max())), IsEmpty());
}

TEST(Pairs, ReportedMeasureGivenAsConditionFindsTheSamePair) {
  for (std::uint64_t size = 1; size <= 30; ++size) {
    for (std::uint64_t x = 1; x <= size; ++x) {
      Values a;
      Values b;
      for (std::uint64_t i = 0; i < size; ++i) {
        a.push_back(i);
        b.push_back(i < x ? i : 1000 + i);
      }
      b.push_back(5000);
      const MadeLists lists({a, b});
      const Overlap reported{x, size, size + 1};
      EXPECT_EQ(pairs_of(lists, containing(reported.containment())).size(), 1U);
      EXPECT_EQ(pairs_of(lists, resembling(reported.resemblance())).size(), 1U);
    }
  }
}

/// A collection with what makes all pairs hard: families of near-duplicates, features that nearly all
/// documents have, repeated features, documents of very different sizes, and documents without features.
std::vector<Values> mixed_collection(std::uint32_t seed, std::size_t documents) {
  RandomValues random(seed, 4000, 0x9e3779b97f4a7c15);
  std::vector<Values> collection;
  while (collection.size() < documents) {
    Values values = random.values(60);
    if (!collection.empty() && random.below(3) == 0) {
      // A fragment of an earlier document.
      const Values& original = collection[random.below(collection.size())];
      const std::uint64_t begin = random.below(original.size() + 1);
      const std::uint64_t length = random.below(original.size() - begin + 1);
      values.assign(original.begin() + static_cast<std::ptrdiff_t>(begin),
                    original.begin() + static_cast<std::ptrdiff_t>(begin + length));
    }
    // Boilerplate: a few of twenty features that stand in a share of all documents.
    for (std::uint64_t boilerplate = 0; boilerplate < 20; ++boilerplate) {
      if (random.below(20) < boilerplate / 2) values.push_back(10 + boilerplate);
    }
    if (random.below(4) == 0 && !values.empty()) values.insert(values.end(), random.below(6), values.front());
    collection.push_back(std::move(values));
  }
  return collection;
}

struct Sameness {
  const char* name;
  std::uint64_t memory;  ///< 0 = the least that will do
  unsigned threads;
};

void PrintTo(const Sameness& row, std::ostream* out) { *out << row.name; }

class PairsAgainstDefinition : public testing::TestWithParam<Sameness> {};

TEST_P(PairsAgainstDefinition, AreTheSameForEveryCondition) {
  for (std::uint32_t seed = 1; seed <= 2; ++seed) {
    const std::vector<Values> documents = mixed_collection(seed, 350);
    const MadeLists lists(documents);
    const std::vector<NumberedPair> all = naive_pairs(documents);
    PairsRequest request;
    request.memory = GetParam().memory == 0 ? least_pairs_memory(350) : GetParam().memory;
    request.threads = GetParam().threads;
    for (const std::uint64_t bound : {0U, 3U, 8U, 40U}) {
      for (const double containment : {0.0, 0.2, 0.5, 1.0}) {
        for (const double resemblance : {0.0, 0.1, 0.5}) {
          request.condition = {bound, containment, resemblance};
          EXPECT_EQ(pairs_of(lists, request), wanted(all, request.condition))
              << "bound " << bound << ", containment " << containment << ", resemblance " << resemblance
              << ", seed " << seed;
        }
      }
    }
  }
}

/// The arguments of `reached`, and how many pairs had been reported by then.
struct Reached {
  std::uint32_t number = 0;
  std::size_t pairs = 0;
};

TEST_P(PairsAgainstDefinition, GoOnFromEveryNumberReached) {
  const std::vector<Values> documents = mixed_collection(3, 350);
  const MadeLists lists(documents);
  PairsRequest request = over(3);
  request.memory = GetParam().memory == 0 ? least_pairs_memory(350) : GetParam().memory;
  request.threads = GetParam().threads;
  std::vector<Reached> stops;
  std::vector<NumberedPair> all;
  request.reached = [&](std::uint32_t number) -> Result<void> {
    EXPECT_GT(number, stops.empty() ? 0 : stops.back().number);
    stops.push_back({number, all.size()});
    return {};
  };
  must(find_pairs(lists, request, [&](DocNumber a, DocNumber b, const Overlap& overlap) -> Result<void> {
    all.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), overlap.x,
                   overlap.a_features, overlap.b_features});
    return {};
  }));
  EXPECT_EQ(all, wanted(naive_pairs(documents), over(3).condition));
  ASSERT_GE(stops.size(), 5U);
  EXPECT_EQ(stops.back().number, 350U);
  PairsRequest larger = over(3);
  larger.threads = 2;
  request.reached = nullptr;
  for (const Reached& stop : stops) {
    const std::vector<NumberedPair> rest(all.begin() + static_cast<std::ptrdiff_t>(stop.pairs), all.end());
    request.first = larger.first = stop.number;
    EXPECT_EQ(pairs_of(lists, request), rest) << "from " << stop.number;
    if (stop.number % 8 == 0) {
      EXPECT_EQ(pairs_of(lists, larger), rest) << "from " << stop.number;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Budgets, PairsAgainstDefinition,
                         testing::Values(Sameness{"one_round_one_thread", kDefaultPairsMemory, 1},
                                         Sameness{"one_round_three_threads", kDefaultPairsMemory, 3},
                                         Sameness{"some_rounds", 140'000, 2},
                                         Sameness{"many_rounds", 70'000, 2},
                                         Sameness{"rows_of_counters", 36'000, 2},
                                         Sameness{"least_memory", 0, 1}),
                         [](const testing::TestParamInfo<Sameness>& row) { return row.param.name; });

TEST(Pairs, LessMemoryTakesMorePassesOverTheLists) {
  const MadeLists lists(mixed_collection(1, 350));
  PairsRequest request = over(0);
  int before = 0;
  for (const std::uint64_t memory :
       {kDefaultPairsMemory, std::uint64_t{140'000}, std::uint64_t{70'000}, least_pairs_memory(350)}) {
    request.memory = memory;
    lists.passes = 0;
    pairs_of(lists, request);
    EXPECT_GT(lists.passes, before);
    before = lists.passes;
  }
}

TEST(Pairs, FeaturesOfAllDocumentsAreNotCountedForEveryPair) {
  // 20,000 documents share three features, and each condition allows to pass these over: 600 million
  // increments otherwise.
  std::vector<Values> documents;
  for (std::uint64_t i = 0; i < 20'000; ++i) documents.push_back({1, 2, 3, 100 + i});
  documents[7] = {1, 2, 3, 50};
  documents[19'000] = {1, 2, 3, 50};
  const MadeLists lists(documents);
  for (const PairsRequest& request : {over(3), containing(1.0), resembling(1.0)}) {
    const PairSurvey survey = must(PairSurvey::make(lists, request, request.memory));
    EXPECT_FALSE(survey.in_prefix(0, survey.band(20'000)));
    EXPECT_TRUE(survey.in_prefix(7, survey.band(2)));
    EXPECT_THAT(pairs_of(lists, request), ElementsAre(NumberedPair{7, 19'000, 4, 4, 4}));
  }
}

TEST(Pairs, TooLittleMemoryIsRefusedWithWhatIsEnough) {
  const MadeLists lists(mixed_collection(1, 350));
  PairsRequest request = over(0);
  request.memory = least_pairs_memory(350) - 1;
  const auto refused = find_pairs(lists, request, [](auto...) { return Result<void>(); });
  EXPECT_EQ(refused.error().code, Errc::invalid_argument);
  EXPECT_THAT(refused.error().remedy, testing::HasSubstr(std::to_string(least_pairs_memory(350))));
}

TEST(Pairs, ShareOutsideZeroToOneIsRefused) {
  const MadeLists lists({{1}, {1}});
  for (const double share : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    for (const PairsRequest& request : {containing(share), resembling(share)}) {
      EXPECT_EQ(find_pairs(lists, request, [](auto...) { return Result<void>(); }).error().code,
                Errc::invalid_argument);
    }
  }
}

TEST(Pairs, DamagedListIsAnError) {
  const auto fails = [](const MadeLists& lists) {
    return find_pairs(lists, over(0), [](auto...) { return Result<void>(); }).error().code;
  };
  const std::vector<Values> documents = {{1, 2}, {1, 2}, {1}};
  const auto damaged = [&](const std::function<void(MadeLists::List&)>& damage) {
    MadeLists lists(documents);
    damage(lists.content.at(0));
    return fails(lists);
  };
  EXPECT_EQ(damaged([](auto& list) { std::swap(list.documents[0], list.documents[1]); }), Errc::corrupt);
  EXPECT_EQ(damaged([](auto& list) { list.documents[1] = list.documents[0]; }), Errc::corrupt);
  EXPECT_EQ(damaged([](auto& list) { list.documents[2] = DocNumber{3}; }), Errc::corrupt);
  EXPECT_EQ(damaged([](auto& list) { list.documents[2] = kEnd; }), Errc::corrupt);
  EXPECT_EQ(damaged([](auto& list) { list.counts[1] = 0; }), Errc::corrupt);
  EXPECT_EQ(damaged([](auto& list) { list.counts.pop_back(); }), Errc::corrupt);
  MadeLists unreadable(documents);
  unreadable.fails_at = 1;
  EXPECT_EQ(fails(unreadable), Errc::corrupt);
}

TEST(Pairs, ErrorOfTheVisitorEndsTheWorkAndIsReturned) {
  const MadeLists lists(mixed_collection(1, 350));
  int visits = 0;
  const auto outcome = find_pairs(lists, over(0), [&](auto...) -> Result<void> {
    if (++visits == 5) return Error{Errc::disk_full, "out", "full", ""};
    return {};
  });
  EXPECT_EQ(outcome.error().code, Errc::disk_full);
  EXPECT_EQ(visits, 5);
}

TEST(Pairs, ErrorOfReachedEndsTheWorkAndIsReturned) {
  const MadeLists lists(mixed_collection(1, 350));
  PairsRequest request = over(0);
  int calls = 0;
  request.reached = [&](std::uint32_t) -> Result<void> {
    if (++calls == 2) return Error{Errc::disk_full, "out", "full", ""};
    return {};
  };
  EXPECT_EQ(find_pairs(lists, request, [](auto...) { return Result<void>(); }).error().code, Errc::disk_full);
  EXPECT_EQ(calls, 2);
}

TEST(Pairs, WhatIsToldBeforeAStopAndFromTheLastNumberReachedIsAll) {
  const std::vector<Values> documents = mixed_collection(1, 350);
  const MadeLists lists(documents);
  const std::vector<NumberedPair> all = naive_pairs(documents);
  for (const std::uint64_t memory : {kDefaultPairsMemory, std::uint64_t{70'000}, std::uint64_t{36'000}}) {
    for (std::size_t after = 1; after < all.size(); after += all.size() / 9) {
      std::stop_source stop;
      PairsRequest request = over(0);
      request.memory = memory;
      request.threads = 3;
      request.stop = stop.get_token();
      std::size_t told = 0;
      std::size_t kept = 0;
      request.reached = [&](std::uint32_t number) -> Result<void> {
        request.first = number;
        kept = told;
        return {};
      };
      const PairsRequest interrupted = request;
      must(find_pairs(lists, interrupted, [&](auto...) -> Result<void> {
        if (++told == after) stop.request_stop();
        return {};
      }));
      request.stop = {};
      request.reached = nullptr;
      EXPECT_EQ(pairs_of(lists, request),
                std::vector<NumberedPair>(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end()));
    }
  }
}

TEST(Pairs, BehindTheLastDocumentAreNone) {
  const MadeLists lists({{1, 2}, {1, 2}});
  PairsRequest request = over(0);
  for (const std::uint32_t first : {1U, 2U, 3U, std::numeric_limits<std::uint32_t>::max()}) {
    request.first = first;
    EXPECT_THAT(pairs_of(lists, request), IsEmpty());
  }
}

TEST(Pairs, StopEndsTheWorkAndIsTold) {
  const MadeLists lists(mixed_collection(1, 350));
  std::stop_source stop;
  PairsRequest request = over(0);
  request.stop = stop.get_token();
  std::uint64_t visits = 0;
  const PairsSummary summary = must(find_pairs(lists, request, [&](auto...) -> Result<void> {
    ++visits;
    stop.request_stop();
    return {};
  }));
  EXPECT_FALSE(summary.complete);
  EXPECT_EQ(summary.pairs, visits);
  EXPECT_EQ(visits, 1U);
}

TEST(Pairs, ProgressGrowsToTheWhole) {
  const MadeLists lists(mixed_collection(1, 350));
  PairsRequest request = over(0);
  request.memory = 90'000;
  PairsProgress last;
  request.progress = [&](const PairsProgress& now) {
    EXPECT_GE(now.share, last.share);
    EXPECT_GE(now.pairs, last.pairs);
    last = now;
  };
  EXPECT_EQ(pairs_of(lists, request).size(), last.pairs);
  EXPECT_EQ(last.share, 1.0);
  last = {};
  request.first = 200;
  EXPECT_EQ(pairs_of(lists, request).size(), last.pairs);
  EXPECT_EQ(last.share, 1.0);
}

TEST(LevelListsOf, CountsAreSetsWithWeights) {
  LevelLists levels;
  const std::vector<DocNumber> documents = {DocNumber{2}, DocNumber{5}, DocNumber{6}, DocNumber{9}};
  const std::vector<std::uint32_t> counts = {5, 1, 3, 9};
  std::vector<std::pair<std::uint32_t, std::vector<DocNumber>>> sets;
  levels.for_each(documents, counts, [&](std::uint32_t weight, std::span<const DocNumber> members) {
    sets.emplace_back(weight, std::vector<DocNumber>(members.begin(), members.end()));
  });
  EXPECT_THAT(sets, ElementsAre(testing::Pair(1, documents),
                                testing::Pair(2, ElementsAre(DocNumber{2}, DocNumber{6}, DocNumber{9})),
                                testing::Pair(2, ElementsAre(DocNumber{2}, DocNumber{9}))));
}

}  // namespace
}  // namespace akin::test
