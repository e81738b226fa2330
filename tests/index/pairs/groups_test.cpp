#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "index/pairs/complete_linkage.h"
#include "index/pairs/filtered_lists.h"
#include "index/pairs/further_copies.h"
#include "index/pairs/groups.h"
#include "tests/index/pairs/made_lists.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<DocNumber> numbers(std::initializer_list<std::uint32_t> values) {
  std::vector<DocNumber> result;
  for (const std::uint32_t value : values) result.push_back(DocNumber{value});
  return result;
}

TEST(DocumentGroupsOf, LoneDocumentsAreNoGroup) {
  EXPECT_THAT(DocumentGroups(3).arranged(numbers({0, 1, 2})), IsEmpty());
}

TEST(DocumentGroupsOf, ChainsHangTogether) {
  DocumentGroups groups(6);
  groups.join(DocNumber{4}, DocNumber{2});
  groups.join(DocNumber{0}, DocNumber{5});
  groups.join(DocNumber{2}, DocNumber{5});
  groups.join(DocNumber{5}, DocNumber{4});
  EXPECT_THAT(groups.arranged(numbers({0, 1, 2, 3, 4, 5})), ElementsAre(numbers({0, 2, 4, 5})));
}

TEST(DocumentGroupsOf, LargestComeFirstThenByFirstDocumentInTheGivenOrder) {
  DocumentGroups groups(7);
  groups.join(DocNumber{0}, DocNumber{1});
  groups.join(DocNumber{2}, DocNumber{3});
  groups.join(DocNumber{4}, DocNumber{5});
  groups.join(DocNumber{4}, DocNumber{6});
  EXPECT_THAT(groups.arranged(numbers({3, 1, 5, 0, 2, 6, 4})),
              ElementsAre(numbers({5, 6, 4}), numbers({3, 2}), numbers({1, 0})));
}

using Groups = std::vector<std::vector<std::string>>;

Groups told(const std::function<Result<GroupsSummary>(const GroupVisitor&)>& find) {
  Groups groups;
  must(find([&](const std::vector<std::string>& ids) -> Result<void> {
    groups.push_back(ids);
    return {};
  }));
  return groups;
}

/// Documents of a few features each: near copies, copies of these, and what has little in common with any.
std::vector<Values> copied_collection(std::uint32_t seed, std::size_t documents) {
  std::mt19937 random(seed);
  std::vector<Values> collection;
  for (std::size_t number = 0; number < documents; ++number) {
    Values features = number > 0 ? collection[random() % number] : Values();
    if (random() % 3 != 0) features = Values(random() % 12, 0);
    for (std::uint64_t& feature : features)
      if (random() % 4 == 0 || feature == 0) feature = 1 + random() % 300;
    if (random() % 4 == 0 && number > 0) features = collection[random() % number];
    collection.push_back(features);
  }
  return collection;
}

TEST(GroupsOfLists, AreTheComponentsOfAllPairs) {
  constexpr std::uint32_t kDocuments = 1000;
  std::vector<DocNumber> all;
  for (std::uint32_t number = 0; number < kDocuments; ++number) all.push_back(DocNumber{number});
  const auto id_of = [](DocNumber number) {
    return std::to_string(100'000 + static_cast<std::uint32_t>(number));
  };
  const GroupNames names{[&]() -> Result<std::vector<DocNumber>> { return all; },
                         [&](DocNumber number) -> Result<std::string> { return id_of(number); }};
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<Values> documents = copied_collection(seed, kDocuments);
    const MadeLists lists(documents);
    const std::vector<NumberedPair> pairs = naive_pairs(documents);
    PairsRequest request;
    for (const std::uint64_t memory : {kDefaultPairsMemory, std::uint64_t{200'000}}) {
      for (const PairCondition& condition :
           {PairCondition{0, 0.0, 0.0}, PairCondition{2, 0.0, 0.0}, PairCondition{5, 0.5, 0.0},
            PairCondition{0, 0.0, 0.8}, PairCondition{0, 1.0, 1.0}}) {
        request.memory = memory;
        request.condition = condition;
        const Groups expected = told([&](const GroupVisitor& visit) {
          return group_pairs(
              [&](const PairVisitor& take) -> Result<PairsSummary> {
                for (const NumberedPair& pair : wanted(pairs, condition))
                  must(take({id_of(DocNumber{pair.a}), id_of(DocNumber{pair.b}), Overlap{}}));
                return PairsSummary{};
              },
              visit);
        });
        EXPECT_EQ(told([&](const GroupVisitor& visit) { return find_groups(lists, request, names, visit); }),
                  expected)
            << "bound " << condition.bound << ", seed " << seed << ", memory " << memory;
      }
    }
  }
}

TEST(SelectedLists, HaveOnlyTheDocumentsThatARequestSelects) {
  const std::vector<Values> documents = copied_collection(4, 200);
  std::vector<bool> only;
  for (std::uint32_t number = 0; number < 150; ++number) only.push_back(number % 3 != 0);
  std::vector<NumberedPair> expected = wanted(naive_pairs(documents), {2, 0.3, 0.0});
  std::erase_if(expected, [&](const NumberedPair& pair) {
    return pair.b >= only.size() || !only[pair.a] || !only[pair.b];
  });
  ASSERT_FALSE(expected.empty());
  PairsRequest request;
  request.condition = {2, 0.3, 0.0};
  request.only = &only;
  EXPECT_EQ(pairs_of(MadeLists(documents), request), expected);
  const std::vector<bool> none;
  request.only = &none;
  EXPECT_TRUE(pairs_of(MadeLists(documents), request).empty());
}

TEST(SelectedLists, MakeGroupsOfTheSelectedDocuments) {
  const MadeLists lists({{1, 2}, {1, 2, 3}, {3, 4}, {4}});
  const std::vector<bool> only = {true, true, false, true};
  const GroupNames names{[]() -> Result<std::vector<DocNumber>> {
                           return numbers({0, 1, 2, 3});
                         },
                         [](DocNumber number) -> Result<std::string> {
                           return std::to_string(static_cast<std::uint32_t>(number));
                         }};
  PairsRequest request;
  EXPECT_EQ(told([&](const GroupVisitor& visit) { return find_groups(lists, request, names, visit); }),
            (Groups{{"0", "1", "2", "3"}}));
  request.only = &only;
  EXPECT_EQ(told([&](const GroupVisitor& visit) { return find_groups(lists, request, names, visit); }),
            (Groups{{"0", "1"}}));
}

struct Similar {
  const char *a, *b;
  std::uint64_t x;  ///< of two documents with ten features each
};

Groups linked(const std::vector<Similar>& pairs) {
  return told([&](const GroupVisitor& visit) {
    return link_completely(
        [&](const PairVisitor& take) -> Result<PairsSummary> {
          for (const Similar& pair : pairs) must(take({pair.a, pair.b, Overlap{pair.x, 10, 10}}));
          return PairsSummary{};
        },
        100, visit);
  });
}

TEST(CompleteLinkage, MakesNoChains) {
  EXPECT_EQ(linked({{"a", "b", 8}, {"b", "c", 9}, {"c", "d", 7}}), (Groups{{"b", "c"}}));
  EXPECT_EQ(linked({{"a", "b", 9}, {"b", "c", 8}, {"c", "d", 9}}), (Groups{{"a", "b"}, {"c", "d"}}));
}

TEST(CompleteLinkage, JoinsGroupsAllOfWhosePairsAreThere) {
  const std::vector<Similar> all = {{"a", "b", 9}, {"c", "d", 9}, {"a", "c", 5},
                                    {"a", "d", 5}, {"b", "c", 5}, {"b", "d", 5}};
  EXPECT_EQ(linked(all), (Groups{{"a", "b", "c", "d"}}));
  EXPECT_EQ(linked({all.begin(), all.end() - 1}), (Groups{{"a", "b"}, {"c", "d"}}));
}

/// Merges sets of ids, beginning with the most similar pair, and compares all of their members.
Groups linked_slowly(std::vector<Similar> pairs) {
  std::ranges::sort(pairs, [](const Similar& left, const Similar& right) {
    return std::tuple(right.x, std::string(left.a), std::string(left.b)) <
           std::tuple(left.x, std::string(right.a), std::string(right.b));
  });
  std::set<std::pair<std::string, std::string>> all;
  std::map<std::string, std::shared_ptr<std::set<std::string>>> set_of;
  for (const Similar& pair : pairs) {
    all.insert({{pair.a, pair.b}, {pair.b, pair.a}});
    for (const char* const id : {pair.a, pair.b})
      set_of.try_emplace(id, std::make_shared<std::set<std::string>>(std::set<std::string>{id}));
  }
  for (const Similar& pair : pairs) {
    const auto one = set_of[pair.a], other = set_of[pair.b];
    const auto has_all = [&](const std::string& member) {
      return std::ranges::all_of(*other, [&](const auto& id) { return all.contains({member, id}); });
    };
    if (one == other || !std::ranges::all_of(*one, has_all)) continue;
    one->insert(other->begin(), other->end());
    for (const std::string& member : *other) set_of[member] = one;
  }
  std::set<std::pair<int, std::vector<std::string>>> groups;
  for (const auto& [id, set] : set_of)
    if (set->size() > 1)
      groups.emplace(-static_cast<int>(set->size()), Groups::value_type(set->begin(), set->end()));
  Groups result;
  for (const auto& [size, ids] : groups) result.push_back(ids);
  return result;
}

TEST(CompleteLinkage, IsThatOfComparingAllMembers) {
  std::mt19937 random(1);
  static constexpr const char* kIds[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  std::size_t large = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<Similar> pairs;
    for (std::size_t a = 0; a < std::size(kIds); ++a) {
      for (std::size_t b = a + 1; b < std::size(kIds); ++b)
        if (random() % 10 < 1 + static_cast<unsigned>(round) % 9)
          pairs.push_back({kIds[a], kIds[b], 1 + random() % 4});
    }
    std::ranges::shuffle(pairs, random);
    const Groups groups = linked(pairs);
    ASSERT_EQ(groups, linked_slowly(pairs)) << round;
    if (!groups.empty() && groups.front().size() > 3) ++large;
  }
  EXPECT_GT(large, 100U);
}

TEST(CompleteLinkage, ManyPairsNeedMemory) {
  const auto two = [](const PairVisitor& take) -> Result<PairsSummary> {
    AKIN_CHECK(take({"a", "b", Overlap{}}));
    AKIN_CHECK(take({"b", "c", Overlap{}}));
    return PairsSummary{};
  };
  EXPECT_EQ(link_completely(two, 1, [](const auto&) { return Result<void>(); }).error().code,
            Errc::too_large);
}

TEST(Unjoined, HasTwoOfTheDocumentsWithTheSameFeatures) {
  const MadeLists all({{1, 1, 2}, {1, 2, 2}, {1, 1, 2}, {2, 1, 1}, {1, 2, 1}, {3}});
  const FurtherCopies copies = must(FurtherCopies::find(all));
  DisjointSets groups(6);
  const FilteredLists lists(all, Unjoined{copies, groups});
  const auto stream = must(lists.lists());
  ASSERT_TRUE(must(stream->next()));
  EXPECT_EQ(std::vector(stream->documents().begin(), stream->documents().end()), numbers({0, 1, 2}));
  EXPECT_THAT(std::vector(stream->counts().begin(), stream->counts().end()), ElementsAre(2, 1, 2));
  copies.join(groups);
  EXPECT_EQ(groups.root(4), 4U) << "the first two are not joined";
  groups.join(0, 2);
  copies.join(groups);
  EXPECT_EQ(groups.root(3), 0U);
  EXPECT_EQ(groups.root(4), 0U);
}

TEST(Unjoined, LeavesOutWhatOneGroupHas) {
  const MadeLists all({{1, 2}, {1, 3}, {2, 3}});
  const FurtherCopies copies = must(FurtherCopies::find(all));
  DisjointSets groups(3);
  groups.join(0, 1);
  const FilteredLists lists(all, Unjoined{copies, groups});
  std::vector<Feature> features;
  const auto stream = must(lists.lists());
  while (must(stream->next())) features.push_back(stream->feature());
  EXPECT_THAT(features, ElementsAre(Feature{2}, Feature{3}));
}

}  // namespace
}  // namespace akin::test
