// Collections whose scheme samples or generates_candidates.
#include "index/search/scheme_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

#include "index/search/ranking.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SchemeSnapshots : public CatalogTest {
 protected:
  /// Words drawn from a small vocabulary; `changed` in a thousand are others.
  static std::string varied(unsigned seed, unsigned changed, unsigned variant) {
    std::mt19937 words(seed), changes(seed * 1'000 + variant);
    std::string text;
    for (int i = 0; i < 300; ++i) {
      const auto word = words() % 5'000;
      text += changes() % 1'000 < changed ? "other" + std::to_string(changes() % 5'000)
                                          : "word" + std::to_string(word);
      text += i % 9 == 8 ? ". " : " ";
    }
    return text;
  }

  std::shared_ptr<Collection> filled(const std::string& name, const std::string& scheme) {
    auto collection = must(catalog_->create(name, scheme));
    for (unsigned work = 0; work < 6; ++work) {
      for (unsigned variant = 0; variant < 5; ++variant) {
        EXPECT_FALSE(put(*collection, "w" + std::to_string(work) + "v" + std::to_string(variant),
                         varied(work, variant * 12, variant)));
      }
    }
    return collection;
  }

  static SearchResult search(const Collection& collection, const std::string& text, SearchRequest request) {
    const FeatureSequence query = must(collection.analyze(text));
    request.query = &query;
    return must(must(collection.snapshot())->search(request));
  }
};

SearchRequest over(std::uint64_t bound, std::uint64_t limit = 100, std::uint64_t offset = 0) {
  SearchRequest request;
  request.bound = bound;
  request.limit = limit;
  request.offset = offset;
  return request;
}

SearchRequest of(const FeatureSequence& query, double min_containment = 0) {
  SearchRequest request = over(0);
  request.query = &query;
  request.min_containment = min_containment;
  return request;
}

PairsRequest pairs_with(double min_resemblance, double min_containment = 0) {
  PairsRequest request;
  request.condition.min_resemblance = min_resemblance;
  request.condition.min_containment = min_containment;
  return request;
}

constexpr const char* kVerifying = "shingles(w=3)";

TEST_F(SchemeSnapshots, CandidatesAreVerifiedExactly) {
  const auto exact = filled("exact", kVerifying);
  const auto super = filled("super", "supershingles(groups=20,size=2,of=shingles(w=3))");
  std::uint64_t found = 0, all = 0;
  for (unsigned work = 0; work < 6; ++work) {
    const std::string text = varied(work, 20, 99);
    SearchRequest request = over(20);
    request.evidence = true;
    const SearchResult verified = search(*super, text, request);
    const SearchResult complete = search(*exact, text, request);
    EXPECT_GE(verified.candidates, verified.total);
    EXPECT_EQ(verified.total, verified.hits.size());
    found += verified.total;
    all += complete.total;
    for (const Hit& hit : verified.hits) {
      const auto same = std::ranges::find(complete.hits, hit.document.id,
                                          [](const Hit& other) { return other.document.id; });
      ASSERT_NE(same, complete.hits.end());
      EXPECT_EQ(hit.overlap.x, same->overlap.x);
      EXPECT_EQ(hit.overlap.a_features, same->overlap.a_features);
      EXPECT_EQ(hit.overlap.b_features, same->overlap.b_features);
      EXPECT_EQ(hit.document.features, same->document.features);
      EXPECT_EQ(hit.passages.size(), same->passages.size());
    }
    EXPECT_TRUE(std::ranges::is_sorted(verified.hits, better_hit));
  }
  EXPECT_EQ(all, 30U);
  EXPECT_GE(found, 24U);  // at the least resemblance, 0.55, 20 groups of 2 find 0.999
}

TEST_F(SchemeSnapshots, PagesOfCandidatesAreThoseOfTheWhole) {
  const auto super = filled("super", "supershingles(groups=20,size=2,of=shingles(w=3))");
  const std::string text = varied(2, 0, 0);
  const SearchResult whole = search(*super, text, over(0));
  ASSERT_GE(whole.total, 3U);
  for (std::uint64_t offset = 0; offset <= whole.total; ++offset) {
    const SearchResult page = search(*super, text, over(0, 1, offset));
    EXPECT_EQ(page.total, whole.total);
    ASSERT_EQ(page.hits.size(), offset < whole.total ? 1U : 0U);
    if (!page.hits.empty()) {
      EXPECT_EQ(page.hits[0].document.id, whole.hits[offset].document.id);
    }
  }
  SearchRequest all_of_it = over(0);
  all_of_it.min_containment = 1;
  const SearchResult most = search(*super, text, all_of_it);
  ASSERT_EQ(most.total, 1U);
  EXPECT_EQ(most.hits[0].document.id, "w2v0");
  SearchRequest without = over(0);
  without.exclude = {"w2v0"};
  EXPECT_EQ(search(*super, text, without).total, whole.total - 1);
}

TEST_F(SchemeSnapshots, PairsAndGroupsAreVerifiedToo) {
  const auto exact = filled("exact", kVerifying);
  const auto mega = filled("mega", "megashingles(groups=30,size=1,of=shingles(w=3))");
  const PairsRequest request = pairs_with(0.4);
  std::set<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>> expected, got;
  const auto into = [](auto& set) {
    return [&set](const DocumentPair& pair) -> Result<void> {
      EXPECT_TRUE(set.emplace(pair.a, pair.b, pair.overlap.x, pair.overlap.b_features).second);
      return {};
    };
  };
  const PairsSummary complete = must(must(exact->snapshot())->pairs(request, into(expected)));
  const PairsSummary verified = must(must(mega->snapshot())->pairs(request, into(got)));
  EXPECT_EQ(verified.pairs, got.size());
  EXPECT_GE(verified.candidates, verified.pairs);
  EXPECT_EQ(complete.candidates, 0U);
  EXPECT_TRUE(std::ranges::includes(expected, got));
  EXPECT_GE(got.size() * 100, expected.size() * 95);
  std::vector<std::vector<std::string>> groups;
  const GroupsSummary summary =
      must(must(mega->snapshot())->groups(request, [&](const std::vector<std::string>& ids) -> Result<void> {
        groups.push_back(ids);
        return {};
      }));
  EXPECT_EQ(summary.groups, 6U);
  EXPECT_EQ(summary.documents, 30U);
  ASSERT_EQ(groups.size(), 6U);
  EXPECT_THAT(groups[0], ElementsAre("w0v0", "w0v1", "w0v2", "w0v3", "w0v4"));
}

TEST_F(SchemeSnapshots, VerifiedPairsContinueFromEveryNumberReached) {
  const auto mega = filled("mega", "megashingles(groups=30,size=1,of=shingles(w=3))");
  PairsRequest request = pairs_with(0.4);
  request.memory = 1 << 16;
  std::vector<std::string> told;
  const auto visit = [&told](const DocumentPair& pair) -> Result<void> {
    told.push_back(std::string(pair.a) + "+" + std::string(pair.b));
    return {};
  };
  std::vector<std::pair<std::uint32_t, std::size_t>> stops;
  request.reached = [&](std::uint32_t number) -> Result<void> {
    stops.emplace_back(number, told.size());
    return {};
  };
  must(must(mega->snapshot())->pairs(request, visit));
  const std::vector<std::string> all = std::exchange(told, {});
  EXPECT_GT(all.size(), 20U);
  ASSERT_GE(stops.size(), 3U);
  request.reached = nullptr;
  for (const auto& [number, before] : stops) {
    request.first = number;
    must(must(mega->snapshot())->pairs(request, visit));
    EXPECT_EQ(std::exchange(told, {}),
              std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(before), all.end()));
  }
}

TEST_F(SchemeSnapshots, SignaturesAreStoredAndVerified) {
  const auto super = filled("super", "supershingles(groups=7,size=2,of=shingles(w=3))");
  EXPECT_THAT(verify(*super), IsEmpty());
  EXPECT_EQ(must(super->verify_deep(nullptr, nullptr)), 0U);
  const auto snapshot = must(super->snapshot());
  EXPECT_EQ(must(snapshot->find("w0v0"))->features, 7U);
  EXPECT_EQ(must(snapshot->features("w0v0")).hashes.size(), 298U);
  EXPECT_EQ(must(snapshot->stats()).features, 7U * 30U);
  EXPECT_EQ(must(super->write(std::vector<SourceChange>{{.document = {"x", "", "", varied(1, 0, 0)}}},
                              WriteMode::each))
                .size(),
            1U);
  must(super->put_all({{"y", "", "", varied(1, 0, 0)}}));
  EXPECT_EQ(must(super->verify_deep(nullptr, nullptr)), 0U);
  must(catalog_->reindex("super", "shingles(w=3)", {}));
  EXPECT_EQ(must(must(must(catalog_->get("super"))->snapshot())->find("w0v0"))->features, 298U);
}

TEST_F(SchemeSnapshots, WithoutTextsCandidatesCannotBeVerified) {
  const auto bare = must(catalog_->create("bare", "supershingles", false));
  put(*bare, "a", varied(1, 0, 0));
  const FeatureSequence query = must(bare->analyze(varied(1, 0, 0)));
  const auto found = must(bare->snapshot())->search(of(query));
  ASSERT_TRUE(found.has_error());
  EXPECT_EQ(found.error().code, Errc::unsupported);
}

TEST_F(SchemeSnapshots, BadConditionsAreRefused) {
  const auto super = filled("super", "supershingles");
  const FeatureSequence query = must(super->analyze("One two three."));
  const auto snapshot = must(super->snapshot());
  EXPECT_EQ(snapshot->search(of(query, 2)).error().code, Errc::invalid_argument);
  EXPECT_EQ(snapshot->pairs(pairs_with(-1), nullptr).error().code, Errc::invalid_argument);
}

TEST_F(SchemeSnapshots, SamplesOfOneSizeHaveNoContainment) {
  const auto least = filled("least", "shingles(w=3,sample=min:40)");
  const FeatureSequence query = must(least->analyze(varied(3, 0, 0)));
  const auto snapshot = must(least->snapshot());
  const SearchResult result = must(snapshot->search(of(query)));
  ASSERT_GE(result.hits.size(), 2U);
  for (const Hit& hit : result.hits) EXPECT_FALSE(hit.overlap.has_containment);
  EXPECT_EQ(result.hits[0].overlap.resemblance(), 1);
  const Error refused = snapshot->search(of(query, 0.5)).error();
  EXPECT_EQ(refused.code, Errc::unsupported);
  EXPECT_THAT(refused.reason, HasSubstr("as many features of a short text as of a long one"));
  std::uint64_t pairs = 0;
  const auto visit = [&](const DocumentPair& pair) -> Result<void> {
    EXPECT_FALSE(pair.overlap.has_containment);
    ++pairs;
    return {};
  };
  EXPECT_EQ(snapshot->pairs(pairs_with(0, 0.5), visit).error().code, Errc::unsupported);
  EXPECT_EQ(snapshot->groups(pairs_with(0, 0.5), nullptr).error().code, Errc::unsupported);
  EXPECT_EQ(must(snapshot->pairs(pairs_with(0.4), visit)).pairs, pairs);
  EXPECT_GT(pairs, 0U);
}

}  // namespace
}  // namespace akin::test
