// Filters of runs leave out look-ups, and never a list.
#include "index/lmdb/postings/run_filters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

#include "index/lmdb/postings/posting_lists.h"
#include "index/lmdb/store/open_store.h"
#include "index/lmdb/store/store.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class RunFiltersOfAStore : public StoreTest {
 protected:
  RunFiltersOfAStore() {
    LmdbStoreOptions options;
    options.lmdb.durable = false;
    options.merge_step_bytes = 4096;
    open(options);
    shared_ = must(share_store(path_, {}));
  }

  using Found = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // document, count
  static std::vector<Found> lists_of(PostingLists& lists, const std::vector<Feature>& features) {
    std::vector<ListRef> refs;
    must(lists.find_all(features, refs));
    std::vector<Found> all;
    for (const ListRef& ref : refs) {
      must(lists.for_each(ref, [&found = all.emplace_back()](DocNumber document, std::uint32_t count) {
        found.emplace_back(static_cast<std::uint32_t>(document), count);
      }));
    }
    return all;
  }

  std::vector<Feature> some_features(std::size_t count) {
    std::vector<Feature> features;
    while (features.size() < count) {
      for (const std::uint64_t value : random_.values(count)) features.push_back(Feature{value});
    }
    std::ranges::sort(features);
    features.erase(std::unique(features.begin(), features.end()), features.end());
    return features;
  }

  void expect_all_lists(const lmdb::ReadTxn& txn) {
    const std::vector<Feature> features = some_features(300);
    PostingLists plain = must(PostingLists::open(txn, shared_->tables));
    PostingLists filtered = must(PostingLists::open(txn, shared_->tables));
    filtered.filter_by(shared_->filters);
    ASSERT_EQ(lists_of(filtered, features), lists_of(plain, features));
  }

  void change() {
    for (std::uint64_t puts = random_.below(8); puts > 0; --puts)
      put(numbered("d", static_cast<int>(random_.below(60))), random_.values(20 + random_.below(2) * 1'500));
    if (random_.below(3) == 0) erase({numbered("d", static_cast<int>(random_.below(60)))});
  }

  std::shared_ptr<OpenStore> shared_;
  RandomValues random_{11, 200'000, 0x9e3779b97f4a7c15U};
};

TEST_F(RunFiltersOfAStore, LoseNoListInAnyTransactionWhileDocumentsArePutAndRunsAreMerged) {
  std::deque<lmdb::ReadTxn> snapshots;  // some are older than what the filters have read
  for (int round = 0; round < 60; ++round) {
    change();
    std::atomic<bool> merged = round % 5 != 0;
    std::thread merge;
    if (!merged) {
      merge = std::thread([&, everything = round % 2 == 0] {
        must(store_->flush_and_merge(everything));
        merged = true;
      });
    }
    do {
      snapshots.push_back(must(shared_->env.read()));
      for (const lmdb::ReadTxn& txn : snapshots) expect_all_lists(txn);
      if (snapshots.size() > 4) snapshots.erase(snapshots.begin() + static_cast<int>(random_.below(5)));
    } while (!merged);
    if (merge.joinable()) merge.join();
    if (HasFatalFailure()) return;
  }
}

TEST_F(RunFiltersOfAStore, LeaveOutNearlyAllThatARunDoesNotHave) {
  std::vector<std::pair<std::string, Values>> documents;
  for (int i = 0; i < 40; ++i) documents.emplace_back(numbered("d", i), random_.values(1'000));
  put_all(documents);
  must(store_->flush_and_merge(true));
  const lmdb::ReadTxn txn = must(shared_->env.read());
  for (int searches = 0; searches < 20; ++searches) expect_all_lists(txn);
  shared_->filters.wait();
  const PostingState state = must(read_posting_state(txn, shared_->tables));
  ASSERT_EQ(state.runs.size(), 1U);
  const auto filters = shared_->filters.of(state);
  ASSERT_TRUE(filters.front());
  PostingLists plain = must(PostingLists::open(txn, shared_->tables));
  std::size_t missing = 0, passed = 0;
  const std::vector<Feature> features = some_features(3'000);
  const std::vector<Found> lists = lists_of(plain, features);
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (!lists[i].empty()) continue;
    ++missing;
    passed += filters.front()->may_have(features[i]) ? 1 : 0;
  }
  ASSERT_GT(missing, 1'000U);
  EXPECT_LT(passed, missing / 15);
}

TEST_F(RunFiltersOfAStore, AreNotMadeForAFewSearches) {
  put("a", random_.values(10));
  must(store_->flush_and_merge(true));
  const lmdb::ReadTxn txn = must(shared_->env.read());
  const PostingState state = must(read_posting_state(txn, shared_->tables));
  for (int searches = 0; searches < 8; ++searches) EXPECT_FALSE(shared_->filters.of(state).front());
  static_cast<void>(shared_->filters.of(state));
  shared_->filters.wait();
  EXPECT_TRUE(shared_->filters.of(state).front());
}

TEST_F(RunFiltersOfAStore, GiveTheirMemoryBack) {
  const std::uint64_t before = RunFilter::bytes_in_use();
  {
    const RunFilter filter(Feature{0}, 1'000);
    EXPECT_EQ(RunFilter::bytes_in_use(), before + 1'000);
  }
  EXPECT_EQ(RunFilter::bytes_in_use(), before);
}

}  // namespace
}  // namespace akin::test
