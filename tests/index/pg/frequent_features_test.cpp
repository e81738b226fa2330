// Search in PostgreSQL and what it stores of documents against the definition and against LMDB's store,
// wherever the postings are: in rows of their own, packed, or in blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "index/lmdb/store/store.h"
#include "index/pg/client/connection.h"
#include "index/pg/store.h"
#include "index/pg/tables/names.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

/// How the postings came to be where they are.
enum class History { put_singly, loaded, merged, loaded_again_after_a_merge };

class SearchInEveryState : public StoreTest, public testing::WithParamInterface<History> {
 protected:
  static constexpr std::uint64_t kVocabulary = 400;
  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

  void put_by_history(const Documents& documents) {
    const std::vector<std::pair<std::string, Values>> all(documents.begin(), documents.end());
    if (GetParam() == History::put_singly) {
      for (const auto& [id, values] : all) put(id, values);
      return;
    }
    put_all(all);
    if (GetParam() == History::loaded) return;
    must(store_->flush_and_merge(true));
    if (GetParam() == History::loaded_again_after_a_merge) put_all(all);
  }

  /// The same documents in LMDB's store.
  [[nodiscard]] std::shared_ptr<akin::Store> twin_of(const Documents& documents) const {
    std::shared_ptr<LmdbStore> twin =
        must(LmdbStore::create(folder_.path() / "twin", {"test-scheme", "fingerprint", "ru,en"}));
    for (const auto& [id, values] : documents) must(twin->put(MadeDocument(id, values).view()));
    return twin;
  }

  /// Hits as they are reported with their passages, in their order; "total" in front.
  static std::vector<std::string> answer(const akin::Store& store, const Values& query, std::uint64_t bound) {
    const FeatureSequence sequence = make_sequence(query);
    SearchRequest request;
    request.query = &sequence;
    request.bound = bound;
    request.limit = 1'000'000;
    request.evidence = true;
    const SearchResult result = must(must(store.snapshot())->search(request));
    std::vector<std::string> told{std::to_string(result.total) + " in total"};
    for (const Hit& hit : result.hits) {
      told.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x) + ":" +
                     std::to_string(hit.overlap.b_features));
      for (const Passage& passage : hit.passages)
        told.back() += " " + std::to_string(passage.a.begin) + "-" + std::to_string(passage.b.end);
    }
    return told;
  }

  RandomValues random_{7, kVocabulary, kSpread};
};

TEST_P(SearchInEveryState, FindsWhatTheDefinitionAndLmdbFind) {
  Documents documents;
  for (std::uint64_t i = 0; i < 500; ++i) documents[numbered("d", i)] = random_.values(80);
  put_by_history(documents);
  const std::shared_ptr<akin::Store> twin = twin_of(documents);
  for (int query = 0; query < 30; ++query) {
    const Values values = random_.values(120);
    for (const std::uint64_t bound : {0U, 5U, 30U}) {
      std::vector<std::string> hits = found(values, bound);
      std::ranges::sort(hits);
      ASSERT_EQ(hits, hits_by_definition(documents, values, bound))
          << "query " << query << " bound " << bound;
      ASSERT_EQ(answer(*store_, values, bound), answer(*twin, values, bound))
          << "query " << query << " bound " << bound;
    }
  }
}

TEST_P(SearchInEveryState, GivesBackEachDocumentsFeatures) {
  Documents documents;
  for (std::uint64_t i = 0; i < 400; ++i) {
    Values values = random_.values(80);
    // Neighbours have other features with the same leading bits.
    for (std::uint64_t& value : values) value += i % 3;
    documents[numbered("d", i)] = values;
  }
  put_by_history(documents);
  EXPECT_THAT(verify(), testing::IsEmpty());
  const auto snapshot = must(store_->snapshot());
  for (const auto& [id, values] : documents) {
    const FeatureSequence stored = must(snapshot->features(id));
    ASSERT_EQ(stored.hashes, make_sequence(values).hashes) << id;
    ASSERT_EQ(stored.ranges, make_sequence(values).ranges) << id;
    const Values query = random_.values(120);
    const FeatureSequence asked = make_sequence(query);
    ASSERT_EQ(must(snapshot->overlap_in(must(snapshot->document(id)), 0, asked.hashes)).x,
              naive_x(query, values))
        << id;
    const FeatureSequence beside = must(snapshot->features_beside(must(snapshot->document(id)), 0, asked));
    ASSERT_EQ(overlap(asked.hashes, beside.hashes).x, naive_x(query, values)) << id;
    ASSERT_EQ(must(snapshot->text(id)), make_text(values)) << id;
  }
}

class FrequentFeaturesTest : public StoreTest {};

TEST_F(FrequentFeaturesTest, AreFoundAsAnotherProcessChangesTheirBlocks) {
  const auto other = must(
      pg::PgStore::open(std::make_shared<pg::Pool>(test_database()->conninfo()), pg::StoreNumber{number_}));
  Documents documents;
  const auto answers_are_right = [&] {
    for (const Values& query : {Values{1, 2, 3, 4, 5}, Values{1, 1, 2, 700, 800, 900}}) {
      for (const std::uint64_t bound : {0U, 1U, 3U}) {
        std::vector<std::string> expected = hits_by_definition(documents, query, bound);
        // The second one uses what the first one has kept.
        for (int time = 0; time < 2; ++time) {
          std::vector<std::string> hits;
          const FeatureSequence sequence = make_sequence(query);
          SearchRequest request;
          request.query = &sequence;
          request.bound = bound;
          request.limit = 1'000'000;
          for (const Hit& hit : must(must(other->snapshot())->search(request)).hits)
            hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
          std::ranges::sort(hits);
          ASSERT_EQ(hits, expected) << "bound " << bound << ", time " << time;
        }
      }
    }
  };
  const auto load = [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<std::pair<std::string, Values>> some;
    for (std::uint64_t i = begin; i < end; ++i) {
      // Dense lists, one that is not, and rare features.
      Values values{1, 2, 1'000 + i};
      if (i % 2 == 0) values.insert(values.end(), {2, 3});
      if (i % 3 == 0) values.push_back(4);
      values.push_back(i % 700 == 0 ? 700 : 5);
      some.emplace_back(numbered("d", i), values);
      documents[some.back().first] = values;
    }
    put_all(some);
  };
  load(0, 3'000);
  answers_are_right();
  load(2'500, 4'000);
  answers_are_right();
  std::vector<std::string> erased;
  for (std::uint64_t i = 0; i < 700; ++i) erased.push_back(numbered("d", i));
  for (const std::string& id : erased) documents.erase(id);
  erase(erased);
  answers_are_right();
  must(store_->flush_and_merge(true));
  answers_are_right();
  load(4'000, 5'500);
  must(store_->flush_and_merge(false));
  answers_are_right();
  put("single", {1, 2, 3, 4, 5});
  documents["single"] = {1, 2, 3, 4, 5};
  answers_are_right();
}

std::string name_of_history(const testing::TestParamInfo<History>& history) {
  constexpr const char* kNames[] = {"PutSingly", "Loaded", "Merged", "LoadedAgainAfterAMerge"};
  return kNames[static_cast<std::size_t>(history.param)];
}

INSTANTIATE_TEST_SUITE_P(Histories, SearchInEveryState,
                         testing::Values(History::put_singly, History::loaded, History::merged,
                                         History::loaded_again_after_a_merge),
                         name_of_history);

}  // namespace
}  // namespace akin::test
