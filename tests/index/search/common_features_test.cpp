// Features that many documents have: listed, and left out of searches and pairs, against the definition.
#include "index/search/common_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// In how many of the documents each value is.
std::map<std::uint64_t, std::uint64_t> document_counts(const Documents& documents) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const auto& [id, values] : documents) {
    for (const std::uint64_t value : std::set(values.begin(), values.end())) ++counts[value];
  }
  return counts;
}

Values without_common(Values values, const Documents& documents, std::uint64_t limit) {
  const auto counts = document_counts(documents);
  std::erase_if(values, [&](std::uint64_t value) {
    const auto found = counts.find(value);
    return found != counts.end() && found->second > limit;
  });
  return values;
}

class CommonFeaturesTest : public StoreTest {
 protected:
  void store(const std::string& id, const Values& values) {
    put(id, values);
    documents_[id] = values;
  }
  void drop(const std::string& id) {
    erase({id});
    documents_.erase(id);
  }

  void merge() { EXPECT_FALSE(store_->flush_and_merge(false).has_error()); }
  void drop_all() {
    while (!documents_.empty()) drop(documents_.begin()->first);
  }

  /// Random documents, of which some are replaced and some removed; a part of the postings is merged.
  void fill(std::uint32_t seed) {
    RandomValues random(seed, 40, 0x9e3779b97f4a7c15U);
    std::vector<std::pair<std::string, Values>> first;
    for (int i = 0; i < 40; ++i) first.emplace_back(numbered("d", i), random.values(25));
    put_all(first);
    documents_.insert(first.begin(), first.end());
    for (int i = 0; i < 12; ++i) store(numbered("d", static_cast<int>(random.below(50))), random.values(25));
    for (int i = 0; i < 8; ++i) drop(numbered("d", static_cast<int>(random.below(50))));
    if (seed % 2 == 0) merge();
    for (int i = 0; i < 4; ++i) store(numbered("e", i), random.values(25));
    drop("e1");
  }

  std::unique_ptr<Snapshot> snapshot() { return must(store_->snapshot()); }

  std::vector<CommonFeature> most_common(std::size_t count) {
    return must(snapshot()->most_common(count, std::nullopt));
  }

  /// "id:x of |A| and |B|" of a search that leaves common features out.
  std::vector<std::string> found_without_common(const Values& query, std::uint64_t limit,
                                                std::uint64_t bound) {
    const auto view = snapshot();
    const CommonFeatures common(*view, limit);
    FeatureSequence features = make_sequence(query);
    const std::uint64_t left_out = must(common.leave_out(features));
    EXPECT_EQ(left_out, query.size() - features.hashes.size());
    SearchRequest request;
    request.query = &features;
    request.bound = bound;
    request.limit = 1000;
    SearchResult result = must(view->search(request));
    std::vector<std::string> lines;
    for (Hit& hit : result.hits) {
      EXPECT_FALSE(common.leave_out(hit, 0).has_error());
      lines.push_back(line(hit.document.id, hit.overlap.x, hit.overlap.a_features, hit.overlap.b_features));
    }
    std::ranges::sort(lines);
    return lines;
  }

  [[nodiscard]] std::vector<std::string> by_definition(const Values& query, std::uint64_t limit,
                                                       std::uint64_t bound) const {
    std::vector<std::string> lines;
    const Values a = without_common(query, documents_, limit);
    for (const auto& [id, values] : documents_) {
      const Values b = without_common(values, documents_, limit);
      const std::uint64_t x = naive_x(a, b);
      if (x > bound) lines.push_back(line(id, x, a.size(), b.size()));
    }
    std::ranges::sort(lines);
    return lines;
  }

  static std::string line(const std::string& id, std::uint64_t x, std::uint64_t a, std::uint64_t b) {
    return id + ":" + std::to_string(x) + " of " + std::to_string(a) + " and " + std::to_string(b);
  }

  Documents documents_;
};

TEST_F(CommonFeaturesTest, AreThoseThatMoreDocumentsThanTheLimitHave) {
  put_all({{"a", {1, 2, 3}}, {"b", {1, 2, 2, 2}}, {"c", {1}}});
  const auto view = snapshot();
  const std::vector<Feature> asked = {Feature{1}, Feature{2}, Feature{3}, Feature{4}};
  EXPECT_THAT(must(view->common_features(asked, 1)), ElementsAre(Feature{1}, Feature{2}));
  EXPECT_THAT(must(view->common_features(asked, 2)), ElementsAre(Feature{1}));
  EXPECT_THAT(must(view->common_features(asked, 3)), IsEmpty());
  EXPECT_THAT(must(view->common_features({}, 1)), IsEmpty());
}

TEST_F(CommonFeaturesTest, CountNoRemovedAndNoReplacedDocument) {
  put_all({{"a", {1, 2}}, {"b", {1, 2}}, {"c", {1, 2}}, {"d", {1}}});
  merge();
  put("a", {2, 3});
  erase({"d"});
  const auto view = snapshot();
  const std::vector<Feature> asked = {Feature{1}, Feature{2}};
  EXPECT_THAT(must(view->common_features(asked, 1)), ElementsAre(Feature{1}, Feature{2}));
  EXPECT_THAT(must(view->common_features(asked, 2)), ElementsAre(Feature{2}));
}

TEST_F(CommonFeaturesTest, TheMostCommonAreListedWithTheDocumentStoredFirst) {
  put_all({{"z", {5, 1}}, {"b", {1, 2, 2}}, {"c", {1, 2}}, {"d", {7}}});
  erase({"d"});
  std::vector<std::string> lines;
  for (const CommonFeature& one : most_common(3)) {
    lines.push_back(std::to_string(static_cast<std::uint64_t>(one.feature)) + " in " +
                    std::to_string(one.documents) + " as " + one.example);
  }
  EXPECT_THAT(lines, ElementsAre("1 in 3 as z", "2 in 2 as b", "5 in 1 as z"));
  EXPECT_TRUE(most_common(0).empty());
}

TEST_F(CommonFeaturesTest, TheMostCommonEqualTheDefinition) {
  fill(5);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;  // all but the number, value
  for (const auto& [value, count] : document_counts(documents_)) expected.emplace_back(~count, value);
  std::ranges::sort(expected);
  for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> listed;
    for (const CommonFeature& one : most_common(count))
      listed.emplace_back(~one.documents, static_cast<std::uint64_t>(one.feature));
    const auto wanted = std::min(count, expected.size());
    EXPECT_EQ(listed, std::vector(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(wanted)));
  }
}

TEST_F(CommonFeaturesTest, WithoutThemASearchEqualsTheDefinition) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    drop_all();
    fill(seed);
    RandomValues random(100 + seed, 40, 0x9e3779b97f4a7c15U);
    for (int round = 0; round < 12; ++round) {
      const Values query = random.values(30);
      const std::uint64_t limit = 1 + random.below(20);
      const std::uint64_t bound = random.below(3);
      EXPECT_EQ(found_without_common(query, limit, bound), by_definition(query, limit, bound))
          << "limit " << limit << ", bound " << bound;
    }
  }
}

TEST_F(CommonFeaturesTest, WithoutThemAllPairsEqualTheDefinition) {
  fill(3);
  for (const std::uint64_t limit : {1U, 2U, 5U, 12U, 1000U}) {
    std::set<std::string> expected;
    for (auto a = documents_.begin(); a != documents_.end(); ++a) {
      const Values left = without_common(a->second, documents_, limit);
      for (auto b = std::next(a); b != documents_.end(); ++b) {
        const Values right = without_common(b->second, documents_, limit);
        const std::uint64_t x = naive_x(left, right);
        if (x > 1) expected.insert(a->first + " " + line(b->first, x, left.size(), right.size()));
      }
    }
    PairsRequest request;
    request.condition.bound = 1;
    request.common_limit = limit;
    std::uint64_t left_out = 0, having = 0, visited = 0;
    request.left_out = [&](std::span<const DocNumber> documents) {
      ++left_out;
      having += documents.size();
      EXPECT_EQ(visited, 0U);
    };
    std::set<std::string> reported;
    const PairsSummary summary =
        must(snapshot()->pairs(request, [&](const DocumentPair& pair) -> Result<void> {
          ++visited;
          reported.insert(
              std::string(pair.a) + " " +
              line(std::string(pair.b), pair.overlap.x, pair.overlap.a_features, pair.overlap.b_features));
          return {};
        }));
    EXPECT_EQ(reported, expected) << "limit " << limit;
    const auto counts = document_counts(documents_);
    std::uint64_t expected_having = 0;
    for (const auto& [feature, documents] : counts) expected_having += documents > limit ? documents : 0;
    EXPECT_EQ(summary.common, static_cast<std::uint64_t>(std::ranges::count_if(
                                  counts, [&](const auto& one) { return one.second > limit; })));
    EXPECT_EQ(left_out, summary.common);
    EXPECT_EQ(having, expected_having);
  }
}

}  // namespace
}  // namespace akin::test
