// Search in PostgreSQL against the definition and against LMDB's store, whatever the list of frequent
// features holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "index/lmdb/store.h"
#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

/// What the list of frequent features holds.
enum class ListKind { none, real, some_with_wrong_counts, of_features_that_nobody_has };

class SearchWithFrequentFeatures : public StoreTest, public testing::WithParamInterface<ListKind> {
 protected:
  static constexpr std::uint64_t kVocabulary = 400;
  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

  void execute(const std::string& sql, const pg::Params& params = {}) const {
    const auto connection = must(test_database()->lease());
    must(connection->run(pg::of_store(sql, pg::StoreNumber{number_}), params));
  }

  void set_frequent_features() {
    execute("DELETE FROM akin.frequent_features_@");
    if (GetParam() == ListKind::none) return;
    if (GetParam() == ListKind::real) {
      execute(
          "INSERT INTO akin.frequent_features_@ SELECT key, count(*) FROM akin.all_postings_@ GROUP BY key");
      return;
    }
    const bool known = GetParam() == ListKind::some_with_wrong_counts;
    std::vector<std::int64_t> keys, counts;
    for (std::uint64_t i = 1; i <= kVocabulary; i += 3) {
      keys.push_back(pg::key_of(Feature{(known ? i : i + 1'000'000) * kSpread}));
      counts.push_back(static_cast<std::int64_t>(random_.below(1'000'000)));
    }
    execute("INSERT INTO akin.frequent_features_@ SELECT * FROM unnest($1, $2)",
            pg::Params().numbers(keys).numbers(counts));
  }

  /// The same documents in LMDB's store.
  [[nodiscard]] std::shared_ptr<akin::Store> twin_of(const Documents& documents) const {
    std::shared_ptr<LmdbStore> twin =
        must(LmdbStore::create(folder_.path() / "twin", {"test-scheme", "fingerprint", "ru,en"}));
    for (const auto& [id, values] : documents) must(twin->put(MadeDocument(id, values).view()));
    return twin;
  }

  /// Hits as they are reported, in their order; "total" in front.
  static std::vector<std::string> answer(const akin::Store& store, const Values& query, std::uint64_t bound) {
    const FeatureSequence sequence = make_sequence(query);
    SearchRequest request;
    request.query = &sequence;
    request.bound = bound;
    request.limit = 1'000'000;
    const SearchResult result = must(must(store.snapshot())->search(request));
    std::vector<std::string> told{std::to_string(result.total) + " in total"};
    for (const Hit& hit : result.hits) {
      told.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x) + ":" +
                     std::to_string(hit.overlap.b_features));
    }
    return told;
  }

  RandomValues random_{7, kVocabulary, kSpread};
};

TEST_P(SearchWithFrequentFeatures, FindsWhatTheDefinitionAndLmdbFind) {
  Documents documents;
  for (std::uint64_t i = 0; i < 150; ++i) documents[numbered("d", i)] = random_.values(80);
  put_all({documents.begin(), documents.end()});
  set_frequent_features();
  const std::shared_ptr<akin::Store> twin = twin_of(documents);
  for (int query = 0; query < 84; ++query) {
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

std::string name_of_kind(const testing::TestParamInfo<ListKind>& kind) {
  constexpr const char* kNames[] = {"None", "Real", "WrongCounts", "StrangeFeatures"};
  return kNames[static_cast<std::size_t>(kind.param)];
}

INSTANTIATE_TEST_SUITE_P(Kinds, SearchWithFrequentFeatures,
                         testing::Values(ListKind::none, ListKind::real, ListKind::some_with_wrong_counts,
                                         ListKind::of_features_that_nobody_has),
                         name_of_kind);

}  // namespace
}  // namespace akin::test
