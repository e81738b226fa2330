// The runs of documents that are put one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "index/lmdb/store/open_store.h"
#include "index/lmdb/tables/runs.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::IsEmpty;

class RecentRuns : public StoreTest {
 protected:
  PostingState posting_state() {
    const std::shared_ptr<OpenStore> open_store = must(share_store(path_, {}));
    const lmdb::ReadTxn txn = must(open_store->env.read());
    return must(read_posting_state(txn, open_store->tables));
  }
  void expect_answers_of(const Documents& documents, RandomValues& random) {
    for (int i = 0; i < 10; ++i) {
      const Values query = random.values(200);
      std::vector<std::string> hits = found(query, 1);
      std::sort(hits.begin(), hits.end());
      ASSERT_EQ(hits, hits_by_definition(documents, query, 1));
    }
    ASSERT_THAT(verify(), IsEmpty());
  }
};

TEST_F(RecentRuns, AreFewHoweverManyDocumentsArePutOneByOne) {
  RandomValues random(7, 3000, 0x9e3779b97f4a7c15U);
  Documents documents;
  for (int i = 0; i < 60; ++i) {
    const std::string id = numbered("d", i % 50);
    documents[id] = random.values(40);
    put(id, documents[id]);
    const PostingState state = posting_state();
    ASSERT_LE(state.runs.size(), 8U);
    ASSERT_LE(state.next_run, 16U);  // numbers are used again
    ASSERT_EQ(recent_postings(state), stats().recent_postings);
  }
  EXPECT_GT(stats().recent_postings, 1000U);
  expect_answers_of(documents, random);
  must(store_->flush_and_merge(false));
  EXPECT_EQ(stats().recent_postings, 0U);
  expect_answers_of(documents, random);
}

TEST_F(RecentRuns, AreLeftAloneOnceAMergeMayHaveChosenThem) {
  put("a", {1, 2, 3});
  must(store_->flush_and_merge(false));
  const std::vector<RunInfo> chosen = posting_state().runs;
  ASSERT_EQ(chosen.size(), 1U);
  put("b", {1, 2, 3});
  put("c", {1, 2, 3});
  const std::vector<RunInfo> runs = posting_state().runs;
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0], chosen[0]);
  EXPECT_EQ(runs[1].postings, 6U);
}

class DamagedRecentRun : public RecentRuns {
 protected:
  /// Puts documents after the first block of the run of another one was changed.
  void put_after(
      const std::function<Result<void>(lmdb::WriteTxn&, const Tables&, const std::string& key)>& damage) {
    put("a", {1, 2, 3});
    tamper([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
      std::string key;
      {
        AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(tables.runs));
        AKIN_TRY(const bool there, cursor.first());
        EXPECT_TRUE(there);
        key = cursor.key();
      }
      return damage(txn, tables, key);
    });
    put("b", {4, 5});
    put("c", {4, 5});
  }
  void expect_it_is_left_as_it_was() {
    const std::vector<RunInfo> runs = posting_state().runs;
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].postings, 3U);
    EXPECT_EQ(runs[1].postings, 4U);
    EXPECT_EQ(stats().documents, 3U);
    EXPECT_THAT(verify(), testing::Not(IsEmpty()));
  }
};

TEST_F(DamagedRecentRun, IsLeftAsItWasAndDocumentsAreStored) {
  put_after([](lmdb::WriteTxn& txn, const Tables& tables, const std::string& key) {
    return txn.put(tables.runs, key, "no block");
  });
  expect_it_is_left_as_it_was();
}

TEST_F(DamagedRecentRun, ThatHasLostABlockIsLeftAsItWas) {
  put_after([](lmdb::WriteTxn& txn, const Tables& tables, const std::string& key) -> Result<void> {
    AKIN_TRY(const bool erased, txn.erase(tables.runs, key));
    EXPECT_TRUE(erased);
    return {};
  });
  expect_it_is_left_as_it_was();
}

}  // namespace
}  // namespace akin::test
