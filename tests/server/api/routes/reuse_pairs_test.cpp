// Pairs and groups as a search for reuse finds them: by sentences or by passages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "index/store/store.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSubsetOf;
using ::testing::Pair;

using Ids = std::pair<std::string, std::string>;

/// The sentence with its words in another order: sentence pairs do not see it, alignment finds little.
std::string reversed(int number) {
  const std::string of = std::to_string(number);
  return "Zeta epsilonn" + of + " deltan" + of + " gamman" + of + " betan" + of + " alphan" + of + ". ";
}

class ReusePairs : public ServiceTest {
 protected:
  ReusePairs() {
    expect(201, "PUT", "/v1/collections/books");
    put("whole", sentences(1, 20));
    std::string edited, moved, words;
    for (int i = 1; i <= 20; ++i) {
      edited += "Other " + sentences(i, 1).substr(sentences(i, 1).find(' ') + 1);
      words += reversed(i);
    }
    for (int i = 19; i >= 1; i -= 2) moved += sentences(i, 2);
    put("edited", edited);
    put("moved", moved);
    put("words moved", words);
    put("quoting", sentences(200, 20) + sentences(3, 8));
    put("other", sentences(300, 20));
  }

  void put(const std::string& id, const std::string& text) {
    ASSERT_TRUE(collection()->put({id, "", "", text}).has_value());
  }
  std::shared_ptr<Collection> collection() const { return service_.catalog->get("books").value(); }

  /// With X, in the order of the report.
  std::vector<std::pair<Ids, std::uint64_t>> find(PairsRequest request) const {
    std::vector<std::pair<Ids, std::uint64_t>> found;
    const auto snapshot = collection()->snapshot().value();
    const auto summary = snapshot->pairs(request, [&](const DocumentPair& pair) -> Result<void> {
      found.push_back({{std::string(pair.a), std::string(pair.b)}, pair.overlap.x});
      return {};
    });
    EXPECT_EQ(summary.value().pairs, found.size());
    return found;
  }
  std::set<Ids> ids(const PairsRequest& request) const {
    std::set<Ids> all;
    for (const auto& [pair, x] : find(request))
      EXPECT_TRUE(all.insert(pair).second) << pair.first << pair.second;
    return all;
  }
  std::vector<std::vector<std::string>> groups(const PairsRequest& request) const {
    std::vector<std::vector<std::string>> all;
    const auto snapshot = collection()->snapshot().value();
    const auto summary = snapshot->groups(request, [&](const std::vector<std::string>& ids) -> Result<void> {
      all.push_back(ids);
      return {};
    });
    EXPECT_EQ(summary.value().groups, all.size());
    return all;
  }
};

PairsRequest reuse(const PairCondition& condition = {}) {
  PairsRequest request;
  request.condition = condition;
  request.reuse = true;
  return request;
}

TEST_F(ReusePairs, AreThoseOfWhichASearchFindsOneByTheOther) {
  std::set<Ids> searched;
  for (const char* id : {"whole", "edited", "moved", "words moved", "quoting", "other"}) {
    const auto answer =
        expect(200, "POST", "/v1/collections/books/similar?limit=100", kJson, api::Json{{"id", id}}.dump());
    for (const api::Json& hit : answer["results"])
      searched.insert(std::minmax(std::string(id), hit["id"].get<std::string>()));
  }
  EXPECT_EQ(ids(reuse()), searched);
  EXPECT_EQ(searched.count({"words moved", "whole"}) + searched.count({"whole", "words moved"}), 1U);
  EXPECT_EQ(searched.count({"edited", "whole"}), 1U);
}

TEST_F(ReusePairs, WhatManyWorksHaveMakesNone) {
  const std::set<Ids> before = ids(reuse());
  const auto grouped = groups(reuse());
  std::string notice = "All rights";
  for (int i = 1; i <= 28; ++i) notice += " noticen" + std::to_string(i);
  for (int i = 0; i < 8; ++i)
    put("with notice " + std::to_string(i), sentences(1'000 + 100 * i, 40) + notice + ".");
  EXPECT_EQ(ids(reuse()), before);
  EXPECT_EQ(groups(reuse()), grouped);
  PairsRequest all = reuse();
  all.common_limit = 1'000;
  EXPECT_EQ(ids(all).size(), before.size() + 28);
  EXPECT_EQ(groups(all).front().size(), 8U);
  const auto search = [&](const std::string& parameters) {
    return expect(200, "POST", "/v1/collections/books/similar?" + parameters, kJson,
                  api::Json{{"id", "with notice 0"}}.dump());
  };
  const api::Json answer = search("limit=10");
  EXPECT_EQ(answer["total"], 0);
  // The word before the notice is the same in all, too.
  EXPECT_EQ(answer["common_text"],
            (api::Json{{"limit", 4}, {"words", 31}, {"documents", 7}, {"listed", false}}));
  EXPECT_EQ(search("common_limit=4294967295")["total"], 7);
  EXPECT_EQ(search("min_words=12")["total"], 7);
}

TEST_F(ReusePairs, SatisfyTheConditionByWordsOrByX) {
  const std::set<Ids> found = ids(reuse({.min_resemblance = 0.5}));
  EXPECT_TRUE(found.contains({"edited", "whole"}));       // by words
  EXPECT_TRUE(found.contains({"whole", "words moved"}));  // by X
  EXPECT_TRUE(found.contains({"moved", "whole"}));
  EXPECT_FALSE(found.contains({"quoting", "whole"}));
  EXPECT_TRUE(ids(reuse({.min_containment = 0.3})).contains({"quoting", "whole"}));
}

TEST_F(ReusePairs, IncludeThoseOfTheFirstTierWithTheSameX) {
  for (const PairCondition& condition :
       {PairCondition{.min_containment = 0.2}, PairCondition{.min_resemblance = 0.4}}) {
    PairsRequest by_x;
    by_x.condition = condition;
    EXPECT_THAT(find(by_x), IsSubsetOf(find(reuse(condition))));
  }
}

TEST_F(ReusePairs, ContinueWhereTheyWereStopped) {
  PairsRequest request = reuse();
  const auto whole = find(request);
  std::vector<std::pair<std::uint32_t, std::size_t>> places;  // number and pairs before it
  std::size_t told = 0;
  request.reached = [&](std::uint32_t next) -> Result<void> {
    places.emplace_back(next, told);
    return {};
  };
  const auto snapshot = collection()->snapshot().value();
  ASSERT_TRUE(snapshot
                  ->pairs(request,
                          [&](const DocumentPair&) -> Result<void> {
                            ++told;
                            return {};
                          })
                  .has_value());
  ASSERT_GT(places.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(places));
  for (const auto& [next, before] : places) {
    PairsRequest rest = reuse();
    rest.first = next;
    EXPECT_EQ(find(rest), std::vector(whole.begin() + static_cast<std::ptrdiff_t>(before), whole.end()))
        << next;
  }
}

TEST_F(ReusePairs, JoinGroups) {
  EXPECT_THAT(groups(reuse({.min_resemblance = 0.5})),
              ElementsAre(ElementsAre("edited", "moved", "whole", "words moved")));
}

}  // namespace
}  // namespace akin::test
