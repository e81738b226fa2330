// Merging changes where postings lie, and nothing that is seen.
#include "index/lmdb/store/merge.h"
#include "index/lmdb/store/store.h"
#include "index/lmdb/tables/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/file_lock.h"
#include "base/files.h"
#include "base/hash.h"
#include "index/lmdb/documents/document_batch.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/store/open_store.h"
#include "index/lmdb/store/write_queue.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RunInfo run_of(std::uint32_t id, std::uint64_t postings) {
  return {id, postings, DocNumber{0}, DocNumber{1}, Feature{0}};
}

std::vector<std::uint32_t> ids_of(const MergePlan& plan) {
  std::vector<std::uint32_t> ids;
  for (const RunInfo& run : plan.runs) ids.push_back(run.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

TEST(MergePlan, IsEmptyWhereThereIsNothing) {
  for (const MergeEffort effort :
       {MergeEffort::background, MergeEffort::flush_and_merge, MergeEffort::everything}) {
    EXPECT_TRUE(plan_merge({}, {}, effort).empty());
  }
}

TEST(MergePlan, InTheBackgroundTakesEightRunsOfOneSizeAndAllSmallerOnes) {
  PostingState state;
  for (std::uint32_t i = 0; i < 7; ++i) state.runs.push_back(run_of(i, 1000));
  state.runs.push_back(run_of(20, 10));
  state.runs.push_back(run_of(21, 1'000'000));
  EXPECT_TRUE(plan_merge(state, {}, MergeEffort::background).empty());
  state.runs.push_back(run_of(7, 1000));
  EXPECT_THAT(ids_of(plan_merge(state, {}, MergeEffort::background)),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 20));
}

TEST(MergePlan, InTheBackgroundLeavesRecentRuns) {
  PostingState state;
  state.runs = {run_of(1, 10)};
  for (const MergeEffort effort : {MergeEffort::background, MergeEffort::at_rest})
    EXPECT_TRUE(plan_merge(state, {}, effort).empty());
}

TEST(MergePlan, InTheBackgroundTakesEverythingWhenAQuarterIsTombstoned) {
  PostingState state;
  state.runs = {run_of(1, 800'000)};
  Counters counters;
  counters.postings = 600'000;
  counters.tombstoned_postings = 190'000;
  EXPECT_TRUE(plan_merge(state, counters, MergeEffort::background).empty());
  counters.tombstoned_postings = 210'000;
  EXPECT_THAT(ids_of(plan_merge(state, counters, MergeEffort::background)), ElementsAre(1));
}

TEST(MergePlan, FlushAndMergeLeavesARunThatIsMuchLarger) {
  PostingState state;
  state.runs = {run_of(1, 100'000), run_of(2, 100), run_of(3, 300), run_of(4, 1500)};
  EXPECT_THAT(ids_of(plan_merge(state, {}, MergeEffort::flush_and_merge)), ElementsAre(2, 3, 4));
  state.runs.push_back(run_of(5, 1));  // much smaller than all others
  EXPECT_THAT(ids_of(plan_merge(state, {}, MergeEffort::flush_and_merge)), ElementsAre(2, 3, 4, 5));
  state.runs = {run_of(1, 100'000)};
  EXPECT_TRUE(plan_merge(state, {}, MergeEffort::flush_and_merge).empty());
}

TEST(MergePlan, AtRestLeavesFourRuns) {
  PostingState state;
  state.runs = {run_of(1, 100'000), run_of(2, 10'000), run_of(3, 3'000), run_of(4, 800)};
  EXPECT_TRUE(plan_merge(state, {}, MergeEffort::at_rest).empty());
  state.runs.push_back(run_of(5, 200));
  EXPECT_THAT(ids_of(plan_merge(state, {}, MergeEffort::at_rest)), ElementsAre(2, 3, 4, 5));
}

TEST(MergePlan, FlushLeavesNothingThatIsRecent) {
  PostingState state;
  state.runs = {run_of(1, 10)};
  EXPECT_TRUE(plan_merge(state, {}, MergeEffort::flush_and_merge).flush_recent);
  EXPECT_THAT(plan_merge(state, {}, MergeEffort::flush_and_merge).runs, IsEmpty());
  state.recent_from = DocNumber{100};
  EXPECT_TRUE(plan_merge(state, {}, MergeEffort::flush_and_merge).empty());
}

class Merges : public StoreTest {
 protected:
  /// So few that some of the writes below make runs that later ones leave alone.
  static constexpr std::uint64_t kSmallRun = 4096;
  Merges() { open_with_small_runs(); }
  void open_with_small_runs() {
    LmdbStoreOptions options;
    options.small_run_postings = kSmallRun;
    open(options);
  }
  std::vector<std::string> sorted(std::vector<std::string> hits) const {
    std::sort(hits.begin(), hits.end());
    return hits;
  }
  void put_one(const std::string& id, const Values& values) {
    put(id, values);
    documents_[id] = values;
  }
  void put_many(const std::vector<std::pair<std::string, Values>>& documents) {
    put_all(documents);
    for (const auto& [id, values] : documents) documents_[id] = values;
  }
  void remove_one(const std::string& id) {
    erase({id});
    documents_.erase(id);
  }
  void expect_all_right(RandomValues& random) {
    for (int i = 0; i < 20; ++i) {
      Values query = random.values(40);
      if (i % 2 == 0 && !documents_.empty()) {
        const Values& some =
            std::next(documents_.begin(), static_cast<std::ptrdiff_t>(random.below(documents_.size())))
                ->second;
        query.insert(query.end(), some.begin(), some.end());
      }
      const std::uint64_t bound = random.below(6);
      ASSERT_EQ(sorted(found(query, bound)), hits_by_definition(documents_, query, bound));
    }
    ASSERT_THAT(verify(), IsEmpty());
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    for (const auto& [id, values] : documents_) {
      ASSERT_EQ(must(view->features(id)).hashes, make_sequence(values).hashes);
    }
  }
  Documents documents_;
};

struct Spread {
  const char* name;
  std::uint64_t step;
  std::uint64_t vocabulary;
};

class AnyHistory : public Merges, public testing::WithParamInterface<Spread> {};

TEST_P(AnyHistory, OfPutsRemovalsAndMergesIsSeenAsItsDocuments) {
  RandomValues random(77, GetParam().vocabulary, GetParam().step);
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 15; ++i) put_one(numbered("d", random.below(60)), random.values(60));
    std::vector<std::pair<std::string, Values>> many;
    // Large enough for a run of its own.
    for (int i = 0; i < 60; ++i)
      many.emplace_back(numbered("m", random.below(200)), random.values(round % 3 == 0 ? 800 : 20));
    put_many(many);
    for (int i = 0; i < 10; ++i) remove_one(numbered("m", random.below(200)));
    if (round % 2 == 0) expect_all_right(random);
    if (round % 3 != 2) must(store_->flush_and_merge(round % 4 == 3));
    expect_all_right(random);
    if (round == 6) {
      close();
      open();
      expect_all_right(random);
    }
  }
  must(store_->flush_and_merge(true));
  const StoreStats one_run = stats();
  EXPECT_EQ(one_run.documents, documents_.size());
  for (const auto& entry : std::map(documents_)) remove_one(entry.first);
  must(store_->flush_and_merge(true));
  EXPECT_EQ(stats().postings, 0U);
  expect_all_right(random);
}

INSTANTIATE_TEST_SUITE_P(Features, AnyHistory,
                         testing::Values(Spread{"narrow", 1, 500}, Spread{"wide", 0x9e3779b97f4a7c15U, 500},
                                         Spread{"rare", 0x9e3779b97f4a7c15U, 100'000}),
                         [](const testing::TestParamInfo<Spread>& row) { return row.param.name; });

TEST_F(Merges, LeaveASnapshotAsItWas) {
  put_all({{"a", {1, 2, 3}}, {"b", {3, 4}}});
  const std::unique_ptr<Snapshot> before = must(store_->snapshot());
  erase({"a"});
  must(store_->flush_and_merge(true));
  const FeatureSequence query = make_sequence({1, 2, 3});
  SearchRequest request;
  request.query = &query;
  request.bound = 0;
  EXPECT_EQ(must(before->search(request)).total, 2U);
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("b:1"));
}

TEST_F(Merges, RemoveTombstonedPostingsFromTheDisk) {
  Values many(10'000);
  for (std::uint64_t i = 0; i < many.size(); ++i) many[i] = mix64(i + 1);
  put("a", many);
  erase({"a"});
  must(store_->flush_and_merge(true));
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    EXPECT_EQ(*txn.entries(tables.runs), 0U);
    EXPECT_EQ(*txn.entries(tables.tombstones), 0U);
    EXPECT_EQ(read_counters(txn, tables)->tombstoned_postings, 0U);
    return {};
  });
}

// What a merge has freed stays in the file, so a merge in one step would make it larger by all postings.
TEST_F(Merges, OfASmallIndexTakeLittleMoreDisk) {
  constexpr std::uint64_t kPostings = 500'000;
  for (std::uint64_t run = 0; run < 2; ++run) {
    Values values(kPostings);
    for (std::uint64_t i = 0; i < kPostings; ++i) values[i] = mix64(run * kPostings + i + 1);
    put(numbered("d", static_cast<int>(run)), values);
  }
  const std::uint64_t before = stats().disk_bytes;
  must(store_->flush_and_merge(true));
  EXPECT_EQ(stats().runs, 1U);
  constexpr std::uint64_t kBytes = 2 * kPostings * 5;
  EXPECT_LT(stats().disk_bytes, before + kBytes / 4);
}

TEST_F(Merges, MoveLongListsOfNeighbouringFeaturesOneByOne) {
  LmdbStoreOptions options;
  options.merge_step_bytes = 1;
  open(options);
  constexpr int kDocuments = 2000;  // with counts that are not 1, a list of theirs has several blocks
  for (const char* name : {"a", "b"}) {
    std::vector<std::pair<std::string, Values>> documents;
    for (int i = 0; i < kDocuments; ++i) documents.emplace_back(numbered(name, i), Values{1, 1, 2, 2, 3, 3});
    put_all(documents);
  }
  must(store_->flush_and_merge(true));
  for (const std::uint64_t feature : {1U, 2U, 3U}) EXPECT_EQ(search({feature}).total, 2U * kDocuments);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Merges, PackSequencesOfDocumentsPutSingly) {
  for (int i = 0; i < 100; ++i) put_one(numbered("d", i), {1, 2, 3});
  must(store_->flush_and_merge(false));
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    EXPECT_EQ(*txn.entries(tables.sequences), 1U);
    return {};
  });
  RandomValues random(1, 5, 1);
  expect_all_right(random);
}

TEST_F(Merges, GoOnWhileOthersWriteAndSearch) {
  open_without_waiting_for_the_disk();
  std::atomic<bool> done = false;
  std::vector<std::jthread> threads;
  threads.emplace_back([&] {
    while (!done) {
      const Result<void> merged = store_->flush_and_merge(false);
      EXPECT_FALSE(merged.has_error()) << merged.error().message();
    }
  });
  for (int writer = 0; writer < 2; ++writer) {
    threads.emplace_back([&, writer] {
      RandomValues random(static_cast<std::uint32_t>(writer), 1000, 0x9e3779b97f4a7c15U);
      for (int i = 0; i < 150; ++i) {
        const std::string id = numbered(numbered("w", writer), random.below(40));
        Values values = random.values(i % 20 == 0 ? 12'000 : 50);
        values.push_back(4711);
        if (i % 5 == 4) {
          EXPECT_FALSE(store_->remove({id}).has_error());
        } else {
          EXPECT_FALSE(store_->put(MadeDocument(id, values).view()).has_error());
        }
      }
      done = true;
    });
  }
  threads.emplace_back([&] {
    const FeatureSequence query = make_sequence({4711});
    SearchRequest request;
    request.query = &query;
    request.bound = 0;
    while (!done) {
      const Result<std::unique_ptr<Snapshot>> view = store_->snapshot();
      ASSERT_FALSE(view.has_error());
      const Result<SearchResult> result = (*view)->search(request);
      ASSERT_FALSE(result.has_error());
      EXPECT_EQ(result->total, (*view)->stats()->documents);
    }
  });
  threads.clear();
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Merges, InTheBackgroundDropThePostingsOfRemovedDocuments) {
  put("removed", {1, 2});
  erase({"removed"});
  RandomValues random(3, 2000, 0x9e3779b97f4a7c15U);
  for (int run = 0; run < 8; ++run) {
    std::vector<std::pair<std::string, Values>> documents;
    for (int i = 0; i < 40; ++i) documents.emplace_back(numbered(numbered("r", run), i), random.values(500));
    put_many(documents);
  }
  {
    // What the store's own thread has not merged by now.
    const std::shared_ptr<OpenStore> open_store = must(share_store(path_, {}));
    const std::atomic<bool> stop = false;
    must(merge_once(*open_store, MergeEffort::background, std::chrono::minutes(1), stop));
  }
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    AKIN_TRY(const PostingState state, read_posting_state(txn, tables));
    EXPECT_EQ(state.runs.size(), 1U);
    EXPECT_EQ(must(txn.entries(tables.tombstones)), 0U);
    return {};
  });
  EXPECT_THAT(found({1, 2}), IsEmpty());
  expect_all_right(random);
}

TEST_F(Merges, ThatAreCutOffAgainAndAgainLeaveTheStoreSound) {
  LmdbStoreOptions options;
  options.merge_step_bytes = 1;  // a step for every few features
  options.small_run_postings = kSmallRun;
  options.lmdb.durable = false;
  open(options);
  RandomValues random(5, 4000, 0x9e3779b97f4a7c15U);
  const std::shared_ptr<OpenStore> open_store = must(share_store(path_, options));
  for (int round = 0; round < 40; ++round) {
    if (round % 8 == 0) {
      for (int run = 0; run < 3; ++run) {
        std::vector<std::pair<std::string, Values>> documents;
        for (int i = 0; i < 40; ++i)
          documents.emplace_back(numbered("d", random.below(400)), random.values(400));
        put_many(documents);
      }
    }
    std::atomic<bool> stop = false;
    const std::chrono::microseconds until(1000 + random.below(20'000));
    std::jthread cutting_off([&] {
      std::this_thread::sleep_for(until);
      stop = true;
    });
    must(merge_once(*open_store, MergeEffort::everything, std::chrono::minutes(1), stop));
    cutting_off.join();
    ASSERT_THAT(verify(), IsEmpty()) << round;
  }
  expect_all_right(random);
}

TEST_F(Merges, WaitForOneOfTheirOwnProcessHoweverLongItTakes) {
  LmdbStoreOptions options;
  options.merge_patience = std::chrono::milliseconds(200);
  open(options);
  put_many({{"a", {1, 2}}, {"b", {2, 3}}});
  const std::shared_ptr<OpenStore> open_store = must(share_store(path_, options));
  std::jthread merging;
  {
    const FileLock merge = must(FileLock::exclusive(path_ / format::kMergeLock, std::chrono::minutes(1),
                                                    "a merge in the background"));
    open_store->merging = true;
    merging = std::jthread([&] { must(store_->flush_and_merge(true)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    open_store->merging = false;
  }
  merging.join();
  EXPECT_EQ(found({2}), (std::vector<std::string>{"a:1", "b:1"}));
}

TEST_F(Merges, ThatALoadEndsWithAreLeftToAnotherProcessThatMergesForLong) {
  LmdbStoreOptions options;
  options.merge_patience = std::chrono::milliseconds(1);
  open(options);
  put_many({{"a", {1, 2}}, {"b", {2, 3}}});
  const FileLock other =
      must(FileLock::exclusive(path_ / format::kMergeLock, std::chrono::minutes(1), "another process"));
  EXPECT_FALSE(store_->flush_and_merge(false).has_error());
  EXPECT_EQ(store_->flush_and_merge(true).error().code, Errc::busy);
}

TEST_F(Merges, OfOneStoreWaitForEachOther) {
  put_many({{"a", {1, 2}}, {"b", {2, 3}}});
  put_one("c", {3});
  const std::filesystem::path lock = path_ / format::kMergeLock;
  ASSERT_TRUE(std::filesystem::exists(lock));
  std::atomic<bool> merged = false;
  std::jthread merging;
  {
    // As another process at work: it lets in nobody else, not even somebody who only wants to look.
    const FileLock other = must(FileLock::shared(lock, std::chrono::milliseconds(0), "a test"));
    merging = std::jthread([&] {
      EXPECT_FALSE(store_->flush_and_merge(true).has_error());
      merged = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(merged);
  }
  merging.join();
  RandomValues random(1, 5, 1);
  expect_all_right(random);
}

TEST(WriteQueue, GivesEachOfAGroupItsOwnError) {
  const TemporaryFolder folder;
  lmdb::Env env = must(lmdb::Env::open(folder.path(), table_specs(), {}, true));
  const Tables tables = tables_of(env);
  must(env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    AKIN_CHECK(write_posting_state(txn, tables, {}));
    AKIN_CHECK(txn.put(tables.meta, "change_log", "off"));
    return txn.put(tables.meta, "counters", encode_counters({}));
  }));
  WriteQueue queue(env, tables);
  std::vector<std::jthread> threads;
  std::atomic<int> errors = 0;
  for (int i = 0; i < 32; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        const MadeDocument made(numbered(numbered("k", i) + "-", round), {1, 2});
        PreparedDocument document = must(prepare(made.view(), StoreIdentity()));
        const Result<void> outcome = queue.write([&](DocumentBatch& batch) -> Result<void> {
          AKIN_CHECK(batch.put(document));
          if (i == 7) return Error{Errc::invalid_argument, "seven", "refused", ""};
          return {};
        });
        EXPECT_EQ(outcome.has_error(), i == 7);
        if (outcome.has_error()) ++errors;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(errors, 20);
  EXPECT_EQ(must(read_counters(must(env.read()), tables)).documents, 31U * 20U);
}

TEST_F(Merges, OfOneGroupTheLastWriteOfAnIdRemains) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (std::uint64_t round = 0; round < 40; ++round) {
        EXPECT_FALSE(store_->put(MadeDocument("same", {round, round + 1, 4711}).view()).has_error());
        if (i == 0 && round % 3 == 0) {
          EXPECT_FALSE(store_->remove({"same"}).has_error());
        }
      }
    });
  }
  threads.clear();
  put("same", {5, 6});
  EXPECT_THAT(found({4711, 5, 6}), ElementsAre("same:2"));
  EXPECT_EQ(stats().documents, 1U);
  EXPECT_THAT(verify(), IsEmpty());
}

}  // namespace
}  // namespace akin::test
