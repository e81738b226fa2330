// Collections of several schemes at once, beside a collection for each of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "base/waiting.h"
#include "index/search/tier_search.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTiers = "tiers(pairs=sentence-pairs,single=sentences,words=shingles(w=3))";
constexpr const char* kParts[] = {"sentence-pairs", "sentences", "shingles(w=3)"};

class Tiers : public CatalogTest {
 protected:
  /// `sentences` sentences of a work's own words; of each `step` of them one has another word.
  static std::string edited(unsigned work, int sentences, int step) {
    std::mt19937 words(work);
    std::string text;
    for (int i = 0; i < sentences; ++i) {
      for (int at = 0; at < 8; ++at) {
        const auto word = words() % 100'000;
        text += step > 0 && i % step == 0 && at == 4 ? "changed" + std::to_string(i)
                                                     : "word" + std::to_string(word);
        text += at == 7 ? ". " : " ";
      }
    }
    return text;
  }

  static std::shared_ptr<Collection> fill(const std::shared_ptr<Collection>& collection) {
    for (unsigned work = 0; work < 4; ++work) {
      for (const int step : {0, 1, 2, 3, 7}) {
        const std::string id = "w" + std::to_string(work) + "s" + std::to_string(step);
        EXPECT_FALSE(put(*collection, id, edited(work, 30, step)));
      }
    }
    return collection;
  }

  std::shared_ptr<Collection> filled(const std::string& name, const std::string& scheme) {
    return fill(must(catalog_->create(name, scheme)));
  }

  static TierQuery in_tier(const Collection& collection, const std::string& text, std::size_t tier,
                           std::uint64_t bound) {
    return {tier, must(collection.analyze_in(text, tier)), bound, 0.0};
  }

  static SearchResult search(const Collection& collection, std::vector<TierQuery> tiers, SearchRequest page) {
    const auto snapshot = must(collection.snapshot());
    return must(search_tiers(*snapshot, collection.scheme(), {std::move(tiers), std::move(page)}));
  }

  static SearchResult search_plainly(const Collection& collection, const std::string& text,
                                     std::uint64_t bound) {
    const FeatureSequence query = must(collection.analyze(text));
    SearchRequest request = page(1'000);
    request.query = &query;
    request.bound = bound;
    return must(must(collection.snapshot())->search(request));
  }

  static SearchRequest page(std::uint64_t limit, std::uint64_t offset = 0) {
    SearchRequest request;
    request.limit = limit;
    request.offset = offset;
    request.evidence = true;
    return request;
  }

  static std::vector<std::string> ids_of(const SearchResult& result) {
    std::vector<std::string> ids;
    for (const Hit& hit : result.hits) ids.push_back(hit.document.id);
    return ids;
  }
};

/// What two searches must agree about.
auto told(const Hit& hit) {
  return std::tuple(hit.document.id, hit.overlap.x, hit.overlap.a_features, hit.overlap.b_features,
                    hit.passages.size(), hit.passages.empty() ? TextRange() : hit.passages.front().b);
}

TEST_F(Tiers, EachTierFindsWhatACollectionOfItsSchemeFinds) {
  const auto tiered = filled("tiered", kTiers);
  for (std::size_t tier = 0; tier < 3; ++tier) {
    const auto plain = filled("plain" + std::to_string(tier), kParts[tier]);
    for (const std::uint64_t bound : {0U, 3U, 20U}) {
      const std::string text = edited(2, 30, 5);
      const SearchResult expected = search_plainly(*plain, text, bound);
      const SearchResult found = search(*tiered, {in_tier(*tiered, text, tier, bound)}, page(1'000));
      EXPECT_EQ(found.total, expected.total);
      EXPECT_THAT(found.tier_totals, ElementsAre(expected.total));
      ASSERT_EQ(found.hits.size(), expected.hits.size());
      for (std::size_t i = 0; i < found.hits.size(); ++i)
        EXPECT_EQ(told(found.hits[i]), told(expected.hits[i]));
    }
  }
}

TEST_F(Tiers, WhateverNamesNoTierWorksOnTheFirst) {
  const auto tiered = filled("tiered", kTiers);
  const auto plain = filled("plain", kParts[0]);
  const std::string text = edited(1, 30, 5);
  const SearchResult expected = search_plainly(*plain, text, 0);
  const SearchResult found = search_plainly(*tiered, text, 0);
  EXPECT_EQ(ids_of(found), ids_of(expected));
  const auto snapshot = must(tiered->snapshot());
  EXPECT_EQ(must(snapshot->find("w0s0"))->features, 30U);
  EXPECT_EQ(must(snapshot->features("w0s0")).hashes.size(), 30U);
  EXPECT_EQ(must(snapshot->features_in("w0s0", 2)).hashes.size(), 238U);
}

TEST_F(Tiers, AStricterTiersDocumentsComeFirstAndEachIsToldOnce) {
  const auto tiered = filled("tiered", kTiers);
  // Every sentence of w0s1 has a foreign word: of w0s0 it shares shingles alone.
  const std::string text = edited(0, 30, 0);
  const SearchResult found = search(
      *tiered, {in_tier(*tiered, text, 0, 3), in_tier(*tiered, text, 1, 3), in_tier(*tiered, text, 2, 3)},
      page(1'000));
  EXPECT_THAT(ids_of(found), ElementsAre("w0s0", "w0s7", "w0s3", "w0s2", "w0s1"));
  EXPECT_EQ(found.total, 5U);
  EXPECT_THAT(found.tier_totals, ElementsAre(3U, 4U, 5U));
  const Hit& last = found.hits.back();
  ASSERT_EQ(last.tiers.size(), 3U);
  EXPECT_FALSE(last.tiers[0].found);
  EXPECT_FALSE(last.tiers[1].found);
  EXPECT_TRUE(last.tiers[2].found);
  EXPECT_EQ(first_that_found(last).tier, 2U);
  EXPECT_EQ(last.overlap.b_features, 238U);
  EXPECT_FALSE(last.passages.empty());
}

TEST_F(Tiers, PagesAndTheBestAreThoseOfTheWhole) {
  const auto tiered = filled("tiered", kTiers);
  const std::string text = edited(0, 30, 0);
  const auto tiers = [&] {
    return std::vector{in_tier(*tiered, text, 0, 3), in_tier(*tiered, text, 1, 3),
                       in_tier(*tiered, text, 2, 3)};
  };
  const SearchResult whole = search(*tiered, tiers(), page(1'000));
  for (std::uint64_t offset = 0; offset <= whole.total; ++offset) {
    const SearchResult counted = search(*tiered, tiers(), page(2, offset));
    SearchRequest best = page(2, offset);
    best.best_only = true;
    const SearchResult uncounted = search(*tiered, tiers(), best);
    EXPECT_EQ(counted.total, whole.total);
    EXPECT_FALSE(uncounted.counted);
    const std::size_t size = std::min<std::uint64_t>(2, whole.total - offset);
    ASSERT_EQ(counted.hits.size(), size);
    ASSERT_EQ(uncounted.hits.size(), size);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_EQ(told(counted.hits[i]), told(whole.hits[offset + i]));
      EXPECT_EQ(told(uncounted.hits[i]), told(whole.hits[offset + i]));
      EXPECT_EQ(uncounted.hits[i].tiers[2].overlap.x, whole.hits[offset + i].tiers[2].overlap.x);
    }
  }
}

TEST_F(Tiers, PairsAndGroupsAreThoseOfOneTier) {
  const auto tiered = filled("tiered", kTiers);
  using Told = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::uint64_t>;
  const auto pairs_of = [](const Collection& collection, std::optional<std::size_t> tier) {
    std::vector<Told> pairs;
    PairsRequest request;
    request.condition.bound = 2;
    request.tier = tier;
    must(must(collection.snapshot())->pairs(request, [&](const DocumentPair& pair) -> Result<void> {
      pairs.emplace_back(pair.a, pair.b, pair.overlap.x, pair.overlap.a_features, pair.overlap.b_features);
      return {};
    }));
    std::ranges::sort(pairs);
    return pairs;
  };
  for (std::size_t tier = 0; tier < 3; ++tier) {
    const auto plain = filled("plain" + std::to_string(tier), kParts[tier]);
    const std::vector<Told> expected = pairs_of(*plain, std::nullopt);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(pairs_of(*tiered, tier), expected);
    if (tier == 0) {
      EXPECT_EQ(pairs_of(*tiered, std::nullopt), expected);
    }
  }
  PairsRequest request;
  request.condition.bound = 100;
  request.tier = 2;
  std::uint64_t groups = 0;
  must(must(tiered->snapshot())->groups(request, [&](const std::vector<std::string>& group) -> Result<void> {
    EXPECT_EQ(group.size(), 5U);
    ++groups;
    return {};
  }));
  EXPECT_EQ(groups, 4U);
}

TEST_F(Tiers, EveryWayOfWritingStoresAllTiersAndVerifies) {
  const auto tiered = filled("tiered", kTiers);
  const std::string text = edited(9, 10, 0);
  must(tiered->put_all({{"all", "", "", text}}));
  const std::vector<SourceChange> one = {{.document = {"each", "", "", text}}};
  EXPECT_EQ(must(tiered->write(one, WriteMode::each)).size(), 1U);
  EXPECT_FALSE(put(*tiered, "put", text));
  const FeatureSequence analyzed = must(tiered->analyze(text));
  const std::vector<SourceChange> analysed = {
      {.document = {"analysed", "", "", text}, .features = &analyzed}};
  must(tiered->write(analysed, WriteMode::all));
  EXPECT_EQ(must(tiered->remove({"w0s0", "w1s0"})), 2U);
  EXPECT_THAT(verify(*tiered), IsEmpty());
  EXPECT_EQ(must(tiered->verify_deep(nullptr, nullptr)), 0U);
  const auto snapshot = must(tiered->snapshot());
  for (const char* const id : {"all", "each", "put", "analysed"}) {
    EXPECT_THAT(must(snapshot->find(id))->tier_sizes, ElementsAre(10U, 10U, 78U));
  }
  EXPECT_EQ(must(snapshot->stats()).features, 18U * (30 + 30 + 238) + 4U * 98);
}

TEST_F(Tiers, ReindexAndCompactionKeepAndChangeTiers) {
  filled("c", kParts[0]);
  must(catalog_->reindex("c", kTiers, {}));
  const std::string text = edited(0, 30, 0);
  {
    const auto tiered = must(catalog_->get("c"));
    EXPECT_EQ(search(*tiered, {in_tier(*tiered, text, 2, 3)}, page(10)).total, 5U);
  }
  must(catalog_->compact("c", {}));
  {
    const auto tiered = must(catalog_->get("c"));
    EXPECT_THAT(verify(*tiered), IsEmpty());
    EXPECT_EQ(search(*tiered, {in_tier(*tiered, text, 2, 3)}, page(10)).total, 5U);
  }
  must(catalog_->reindex("c", kParts[1], {}));
  EXPECT_THAT(must(must(must(catalog_->get("c"))->snapshot())->find("w0s0"))->tier_sizes, IsEmpty());
}

TEST_F(Tiers, WithoutTextsTiersAreSearchedAllTheSame) {
  const auto bare = fill(must(catalog_->create("bare", kTiers, false)));
  const std::string text = edited(0, 30, 0);
  EXPECT_EQ(search(*bare, {in_tier(*bare, text, 2, 3)}, page(10)).total, 5U);
}

TEST_F(Tiers, ATierThatSamplesHasNoContainment) {
  const auto sampled = filled("sampled", "tiers(pairs=sentence-pairs,least=shingles(sample=min:50))");
  const std::string text = edited(0, 30, 2);
  const SearchResult found =
      search(*sampled, {in_tier(*sampled, text, 0, 0), in_tier(*sampled, text, 1, 0)}, page(10));
  ASSERT_FALSE(found.hits.empty());
  EXPECT_TRUE(found.hits[0].tiers[0].overlap.has_containment);
  EXPECT_FALSE(found.hits[0].tiers[1].overlap.has_containment);
  PairsRequest request;
  request.condition.min_containment = 0.5;
  request.tier = 1;
  EXPECT_EQ(must(sampled->snapshot())->pairs(request, nullptr).error().code, Errc::unsupported);
}

TEST_F(Tiers, ASearchEndsBetweenDocumentsWhenItIsStopped) {
  const auto tiered = filled("tiered", kTiers);
  std::stop_source stop;
  SearchRequest request = page(10);
  const WorkUnder under(nullptr, stop.get_token());
  int asked = 0;
  request.accept = [&](const DocumentRecord&) -> Result<bool> {
    if (++asked == 2) stop.request_stop();
    return true;
  };
  const std::string text = edited(0, 30, 0);
  const Result<SearchResult> stopped =
      search_tiers(*must(tiered->snapshot()), tiered->scheme(),
                   {{in_tier(*tiered, text, 0, 3), in_tier(*tiered, text, 2, 3)}, request});
  EXPECT_EQ(stopped.error().code, Errc::busy);
  EXPECT_LE(asked, 4);
}

TEST_F(Tiers, ATierThatIsNotThereIsRefused) {
  const auto tiered = filled("tiered", kTiers);
  const auto snapshot = must(tiered->snapshot());
  EXPECT_EQ(snapshot->features_in("w0s0", 3).error().code, Errc::invalid_argument);
  EXPECT_EQ(tiered->analyze_in("One.", 3).error().code, Errc::invalid_argument);
  const FeatureSequence query = must(tiered->analyze("One two."));
  SearchRequest request = page(1);
  request.query = &query;
  request.tier = 3;
  EXPECT_THAT(snapshot->search(request).error().what, HasSubstr("tier 4"));
}

}  // namespace
}  // namespace akin::test
