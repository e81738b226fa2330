#include "tests/support/store_fixture.h"

#include <algorithm>

#include "index/lmdb/store/store.h"
#include "index/lmdb/tables/tables.h"
#include "index/opensearch/store.h"
#include "index/pg/store.h"
#include "tests/support/database.h"
#include "tests/support/opensearch_cluster.h"

namespace akin::test {

std::vector<std::string> hits_by_definition(const Documents& documents, const Values& query,
                                            std::uint64_t bound) {
  std::vector<std::string> hits;
  for (const auto& [id, values] : documents) {
    const std::uint64_t x = naive_x(query, values);
    if (x > bound) hits.push_back(id + ":" + std::to_string(x));
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

StoreTest::StoreTest() {
  const StoreIdentity identity{"test-scheme", "fingerprint", "ru,en"};
  if (is_lmdb()) {
    store_ = must(LmdbStore::create(path_, identity));
    return;
  }
  if (is_opensearch()) {
    const auto store = must(opensearch::ClusterStore::create(test_cluster().client("stores"), identity));
    name_ = store->name();
    store_ = store;
    return;
  }
  const auto store = must(pg::PgStore::create(test_database(), identity));
  number_ = static_cast<std::int64_t>(store->number());
  store_ = store;
}

bool StoreTest::put(const std::string& id, const Values& values) {
  return must(store_->put(MadeDocument(id, values).view())).replaced;
}

std::uint64_t StoreTest::put_all(const std::vector<std::pair<std::string, Values>>& documents) {
  std::vector<MadeDocument> made;
  made.reserve(documents.size());
  for (const auto& [id, values] : documents) made.emplace_back(id, values);
  std::vector<NewDocument> views;
  views.reserve(made.size());
  for (const MadeDocument& document : made) views.push_back(document.view());
  const std::vector<PutResult> results = must(store_->put_all(views));
  return static_cast<std::uint64_t>(
      std::count_if(results.begin(), results.end(), [](const PutResult& one) { return one.replaced; }));
}

std::uint64_t StoreTest::erase(const std::vector<std::string>& ids) { return must(store_->remove(ids)); }

SearchResult StoreTest::search(const Values& query, std::uint64_t bound) {
  SearchRequest request;
  request.bound = bound;
  request.limit = 1'000'000;
  return search(query, request);
}

SearchResult StoreTest::search(const Values& query, SearchRequest request) {
  const FeatureSequence sequence = make_sequence(query);
  request.query = &sequence;
  return must(must(store_->snapshot())->search(request));
}

std::vector<std::string> StoreTest::found(const Values& query, std::uint64_t bound) {
  std::vector<std::string> hits;
  for (const Hit& hit : search(query, bound).hits) {
    hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
  }
  return hits;
}

StoreStats StoreTest::stats() { return must(must(store_->snapshot())->stats()); }

std::vector<std::string> StoreTest::verify() {
  std::vector<std::string> findings;
  const auto report = [&](const Finding& finding) {
    findings.push_back(finding.where + ": " + finding.broken);
  };
  const std::uint64_t count = must(must(store_->snapshot())->verify(report, nullptr));
  EXPECT_EQ(count, findings.size());
  return findings;
}

void StoreTest::open() { open(LmdbStoreOptions()); }

void StoreTest::open(const LmdbStoreOptions& options) {
  close();
  if (is_lmdb()) {
    store_ = must(LmdbStore::open(path_, options));
  } else if (is_opensearch()) {
    store_ = must(opensearch::ClusterStore::open(test_cluster().client("stores"), name_));
  } else {
    store_ = must(pg::PgStore::open(test_database(), pg::StoreNumber{number_}));
  }
}

void StoreTest::open_with_a_small_map() {
  LmdbStoreOptions options;
  options.lmdb.map_bytes = std::size_t{128} << 10;
  options.lmdb.patience = std::chrono::milliseconds(200);
  open(options);
}

void StoreTest::open_without_waiting_for_the_disk() {
  LmdbStoreOptions options;
  options.lmdb.durable = false;
  open(options);
}

void StoreTest::tamper(const Tamper& damage) {
  close();
  {
    lmdb::Env env = must(lmdb::Env::open(path_, table_specs(), {}, false));
    const Tables tables = tables_of(env);
    must(env.write([&](lmdb::WriteTxn& txn) { return damage(txn, tables); }));
  }
  open();
}

void StoreTest::overwrite(lmdb::Table Tables::*table, const std::string& key, const std::string& value) {
  tamper([&](lmdb::WriteTxn& txn, const Tables& tables) { return txn.put(tables.*table, key, value); });
}

std::string StoreTest::raw(lmdb::Table Tables::*table, const std::string& key) {
  std::string bytes;
  tamper([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    AKIN_TRY(const std::optional<std::string_view> value, txn.get(tables.*table, key));
    bytes = value.value_or("");
    return {};
  });
  return bytes;
}

}  // namespace akin::test
