// The runs of documents that are put one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/lmdb/open_store.h"
#include "index/lmdb/runs.h"
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

TEST_F(RecentRuns, ThatAreDamagedDoNotKeepDocumentsFromBeingStored) {
  put("a", {1, 2, 3});
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    AKIN_TRY(lmdb::Cursor cursor, txn.write_cursor(tables.runs));
    AKIN_TRY(const bool there, cursor.first());
    EXPECT_TRUE(there);
    const std::string key(cursor.key());
    return txn.put(tables.runs, key, "no block");
  });
  put("b", {4, 5});
  put("c", {4, 5});
  const std::vector<RunInfo> runs = posting_state().runs;
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].postings, 4U);
  EXPECT_EQ(stats().documents, 3U);
}

}  // namespace
}  // namespace akin::test
