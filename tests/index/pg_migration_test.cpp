// A database that an earlier akin has made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "index/lmdb/document_writer.h"
#include "index/pg/migration.h"
#include "index/pg/schema.h"
#include "index/pg/store.h"
#include "index/records.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

/// As akin 0.1 made them.
constexpr const char* kFirstSchema =
    "CREATE SCHEMA akin;"
    "CREATE TABLE akin.version (version bigint NOT NULL);"
    "INSERT INTO akin.version VALUES (1);"
    "CREATE TABLE akin.stores ("
    " store bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, format bigint NOT NULL, scheme bytea NOT NULL,"
    " fingerprint bytea NOT NULL, languages bytea NOT NULL, store_text bigint NOT NULL,"
    " next_document bigint NOT NULL DEFAULT 0, documents bigint NOT NULL DEFAULT 0,"
    " features bigint NOT NULL DEFAULT 0, postings bigint NOT NULL DEFAULT 0,"
    " text_bytes bigint NOT NULL DEFAULT 0, text_stored_bytes bigint NOT NULL DEFAULT 0,"
    " last_revision bigint NOT NULL DEFAULT 0, retired bigint NOT NULL DEFAULT 0);"
    "CREATE TABLE akin.collections (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores, generation bigint NOT NULL, token bytea NOT NULL,"
    " expires bigint NOT NULL DEFAULT 0);"
    "INSERT INTO akin.stores (format, scheme, fingerprint, languages, store_text)"
    " VALUES (1, 'test-scheme', 'fingerprint', 'ru,en', 1);"
    "INSERT INTO akin.collections VALUES ('books', 1, 1, 'token')";
constexpr const char* kFirstStore =
    "CREATE TABLE akin.d_1 (doc bigint PRIMARY KEY, id bytea NOT NULL UNIQUE, revision bigint NOT NULL "
    "UNIQUE,"
    " record bytea NOT NULL, body bytea, sequence bytea NOT NULL);"
    "ALTER TABLE akin.d_1 ALTER body SET STORAGE EXTERNAL, ALTER sequence SET STORAGE EXTERNAL,"
    " ALTER record SET STORAGE MAIN;"
    "CREATE TABLE akin.p_1 (key bigint NOT NULL, doc bigint NOT NULL, PRIMARY KEY (key, doc));"
    "CREATE TABLE akin.r_1 (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL, PRIMARY KEY (key, "
    "doc));"
    "CREATE TABLE akin.h_1 (key bigint PRIMARY KEY, df bigint NOT NULL)";

class Migration : public testing::Test {
 protected:
  /// A store of the first form with documents in it, one number of which is gone.
  void make_first() {
    const auto connection = must(pg::Connection::open(database_));
    must(connection->command(kFirstSchema));
    must(connection->command(kFirstStore));
    RandomValues random(5, 100, 0x9e3779b97f4a7c15);
    std::int64_t number = 3, features = 0, postings = 0, text_bytes = 0, stored_bytes = 0;
    for (std::uint64_t i = 0; i < 40; ++i, ++number) {
      const std::string id = numbered("d", i);
      expected_[id] = i == 7 ? Values() : random.values(60);
      const MadeDocument made(id, expected_[id]);
      PreparedDocument prepared = must(prepare(made.view(), true, HashWidth::whole));
      set_revision(prepared.record, static_cast<std::uint64_t>(number + 10));
      pg::Params params;
      params.number(number).bytes(prepared.id).number(number + 10).bytes(prepared.record);
      if (prepared.text.empty()) {
        params.null_bytes();
      } else {
        params.bytes(prepared.text);
      }
      must(connection->run("INSERT INTO akin.d_1 VALUES ($1, $2, $3, $4, $5, $6)",
                           params.bytes(prepared.sequence)));
      for (const FeatureCount& entry : prepared.counts) {
        must(connection->run("INSERT INTO akin.p_1 VALUES ($1, $2)",
                             pg::Params().number(pg::key_of(entry.feature)).number(number)));
        if (entry.count > 1) {
          must(connection->run(
              "INSERT INTO akin.r_1 VALUES ($1, $2, $3)",
              pg::Params().number(pg::key_of(entry.feature)).number(number).number(entry.count)));
        }
      }
      features += static_cast<std::int64_t>(prepared.features);
      postings += static_cast<std::int64_t>(prepared.counts.size());
      text_bytes += static_cast<std::int64_t>(prepared.text_bytes);
      stored_bytes += static_cast<std::int64_t>(prepared.text.size());
    }
    must(
        connection->run("UPDATE akin.stores SET next_document = $1, documents = 40, features = $2,"
                        " postings = $3, text_bytes = $4, text_stored_bytes = $5, last_revision = 60",
                        pg::Params()
                            .number(number)
                            .number(features)
                            .number(postings)
                            .number(text_bytes)
                            .number(stored_bytes)));
  }

  void expect_exact(const pg::PgStore& store) const {
    const std::unique_ptr<Snapshot> view = must(store.snapshot());
    EXPECT_EQ(must(view->stats()).documents, expected_.size());
    RandomValues random(6, 100, 0x9e3779b97f4a7c15);
    for (int query = 0; query < 20; ++query) {
      const Values values = random.values(80);
      const FeatureSequence sequence = make_sequence(values);
      SearchRequest request;
      request.query = &sequence;
      request.bound = 0;
      request.limit = 1'000;
      std::vector<std::string> hits;
      for (const Hit& hit : must(view->search(request)).hits)
        hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
      std::ranges::sort(hits);
      EXPECT_EQ(hits, hits_by_definition(expected_, values, 0));
    }
    for (const auto& [id, values] : expected_) {
      EXPECT_EQ(must(view->text(id)), make_text(values));
      EXPECT_EQ(must(view->features(id)).hashes, make_sequence(values).hashes);
    }
    std::vector<std::string> findings;
    must(view->verify(
        [&](const Finding& finding) { findings.push_back(finding.where + ": " + finding.broken); }, nullptr));
    EXPECT_THAT(findings, testing::IsEmpty());
  }

  std::string database_ = must(make_test_database());
  Documents expected_;
};

TEST_F(Migration, BringsTheFirstFormToThisOneWhoeverElseDoes) {
  make_first();
  {
    std::vector<std::jthread> threads;
    threads.reserve(6);
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([this] {
        const auto connection = must(pg::Connection::open(database_));
        must(pg::make_schema(*connection));
        must(pg::make_schema(*connection));
      });
    }
  }
  const auto pool = std::make_shared<pg::Pool>(database_);
  const auto store = must(pg::PgStore::open(pool, pg::StoreNumber{1}));
  expect_exact(*store);
  // Numbers and revisions go on from those that there were.
  const Values values{1, 2, 3, 3};
  EXPECT_GT(must(store->put(MadeDocument("new", values).view())).revision, 60U);
  must(store->put(MadeDocument("d3", values).view()));
  expected_["new"] = expected_["d3"] = values;
  must(store->settle(true));
  expect_exact(*store);
}

TEST_F(Migration, ALaterFormIsRefused) {
  const auto connection = must(pg::Connection::open(database_));
  must(pg::make_schema(*connection));
  const std::string own = std::to_string(pg::kSchemaVersion), later = std::to_string(pg::kSchemaVersion + 1);
  must(connection->command("UPDATE akin.version SET version = " + later));
  const auto refused = pg::make_schema(*connection);
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::mismatch);
  EXPECT_THAT(refused.error().message(), testing::AllOf(testing::HasSubstr("it has the version " + later),
                                                        testing::HasSubstr("this akin knows " + own),
                                                        testing::HasSubstr("use the akin that made it")));
}

}  // namespace
}  // namespace akin::test
