// A search in one database of which two sessions look up a part each, on one snapshot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "index/pg/names.h"
#include "index/pg/posting_cache.h"
#include "index/pg/store.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class SharedLookUp : public StoreTest {
 protected:
  void SetUp() override {
    for (std::uint64_t i = 0; i < 400; ++i) documents_[numbered("d", i)] = random_.values(100);
    put_all({documents_.begin(), documents_.end()});
    must(store_->flush_and_merge(true));
  }

  /// Searches over connections of their own, with further settings.
  void expect_found(const std::string& settings) {
    pool_ = std::make_shared<pg::Pool>(test_database()->conninfo() + settings);
    store_ = must(pg::PgStore::open(pool_, pg::StoreNumber{number_}));
    for (int query = 0; query < 10; ++query) {
      const Values values = random_.values(300);
      for (const std::uint64_t bound : {0U, 3U}) {
        std::vector<std::string> hits = found(values, bound);
        std::ranges::sort(hits);
        ASSERT_EQ(hits, hits_by_definition(documents_, values, bound));
      }
    }
  }

  [[nodiscard]] static std::int64_t sessions(const std::string& condition) {
    const pg::Pool::Lease connection = must(test_database()->lease());
    return must(connection->run_once("SELECT count(*) FROM pg_stat_activity WHERE " + condition))
        .number(0, 0);
  }

  Documents documents_;
  RandomValues random_{7, 20'000, 0x9e3779b97f4a7c15};
  std::shared_ptr<pg::Pool> pool_;
};

TEST_F(SharedLookUp, UsesTwoSessions) {
  if (wanted_shards() > 0) GTEST_SKIP() << "shards are asked at the same time";
  expect_found(" application_name=shared_look_up");
  EXPECT_EQ(sessions("application_name = 'shared_look_up'"), 2);
  EXPECT_EQ(sessions("application_name = 'shared_look_up' AND state <> 'idle'"), 0);
}

TEST_F(SharedLookUp, NeedsNoSecondSession) {
  if (wanted_shards() > 0) GTEST_SKIP() << "shards are asked at the same time";
  must(must(test_database()->lease())
           ->command("CREATE ROLE one_session LOGIN CONNECTION LIMIT 1 IN ROLE pg_read_all_data"));
  expect_found(" user=one_session");
  EXPECT_EQ(sessions("usename = 'one_session'"), 1);
  store_.reset();
  pool_.reset();
  must(must(test_database()->lease())->command("DROP ROLE one_session"));
}

TEST_F(SharedLookUp, SeesWhatAnotherServerHasPackedMeanwhile) {
  for (std::uint64_t round = 0; round < 4; ++round) {
    expect_found("");
    const auto other = must(pg::PgStore::open(test_database(), pg::StoreNumber{number_}));
    for (std::uint64_t i = 0; i < 60; ++i) {
      const std::string id = numbered("d", round * 100 + i);  // every round replaces some and adds some
      documents_[id] = random_.values(100);
      must(other->put(MadeDocument(id, documents_[id]).view()));
    }
    for (const bool everything : {false, true}) {
      must(other->flush_and_merge(everything));
      const Values values = random_.values(300);
      std::vector<std::string> hits = found(values);
      std::ranges::sort(hits);
      ASSERT_EQ(hits, hits_by_definition(documents_, values, 0)) << round << everything;
    }
  }
}

TEST_F(SharedLookUp, FailsWithTheStatementThatFails) {
  pool_ = std::make_shared<pg::Pool>(test_database()->conninfo());
  const pg::Pool::Lease connection = must(pool_->lease());
  const std::vector<pg::Statement> statements{{"SELECT 1::bigint / 0::bigint"}, {"SELECT 2::bigint"}};
  EXPECT_TRUE(connection->send_all_after(statements).has_error());
  EXPECT_EQ(must(connection->run("SELECT 3::bigint")).number(0, 0), 3) << "the connection can be used";
}

TEST(Block, CountsEachDocumentsPostings) {
  std::vector<pg::StoredPosting> postings;
  for (std::int64_t i = 0; i < 1'000; ++i)
    postings.push_back({5, i * 37 + i % 11, static_cast<std::uint32_t>(1 + i % 3)});
  const auto block = must(pg::make_block(pg::encode_block(postings), 5));
  for (std::int64_t document = 0; document < 38'000; ++document) {
    const auto posting = std::ranges::lower_bound(postings, document, {}, &pg::StoredPosting::document);
    const bool is_there = posting != postings.end() && posting->document == document;
    ASSERT_EQ(block->count_of(document), is_there ? posting->count : 0) << document;
  }
}

}  // namespace
}  // namespace akin::test
