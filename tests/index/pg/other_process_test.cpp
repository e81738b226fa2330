// Searches of a process that keeps postings, while another one packs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "index/pg/postings/posting_cache.h"
#include "index/pg/store.h"
#include "index/pg/tables/names.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class OtherProcess : public StoreTest {
 protected:
  void SetUp() override {
    for (std::uint64_t i = 0; i < 400; ++i) documents_[numbered("d", i)] = random_.values(100);
    put_all({documents_.begin(), documents_.end()});
    must(store_->flush_and_merge(true));
  }

  void expect_found() {
    for (int query = 0; query < 10; ++query) {
      const Values values = random_.values(300);
      for (const std::uint64_t bound : {0U, 3U}) {
        std::vector<std::string> hits = found(values, bound);
        std::ranges::sort(hits);
        ASSERT_EQ(hits, hits_by_definition(documents_, values, bound));
      }
    }
  }

  Documents documents_;
  RandomValues random_{7, 20'000, 0x9e3779b97f4a7c15};
};

TEST_F(OtherProcess, SeesWhatAnotherServerHasPackedMeanwhile) {
  for (std::uint64_t round = 0; round < 4; ++round) {
    expect_found();
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

TEST(RunAll, FailsWithTheStatementThatFails) {
  const pg::Pool::Loan connection = must(test_database()->borrow());
  const std::vector<pg::Statement> statements{{"SELECT 1::bigint / 0::bigint"}, {"SELECT 2::bigint"}};
  EXPECT_TRUE(connection->run_all(statements).has_error());
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
