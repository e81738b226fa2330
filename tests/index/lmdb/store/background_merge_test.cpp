// A merge that fails in the background is counted, and a later one succeeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "index/lmdb/env/format.h"
#include "index/lmdb/store/store.h"
#include "tests/support/failure_warnings.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class MergeThatFails : public StoreTest {
 protected:
  MergeThatFails() = default;
  ~MergeThatFails() override { close(); }  // ends the thread that warns

  static void await_another_failure(std::uint64_t before) {
    while (failures_of(Round::merge) == before) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  /// From now on no merge can begin.
  void prevent_merges() const {
    std::filesystem::rename(lock_, aside_);
    std::filesystem::create_directory(lock_);
  }
  void allow_merges() const {
    std::filesystem::remove(lock_);
    std::filesystem::rename(aside_, lock_);
  }
  /// Puts a document with enough features for a run of its own, 1 and 2 among them.
  void put_run(int number) {
    Values values{1, 2};
    for (std::uint64_t i = 0; i < 5'000; ++i)
      values.push_back(1'000 + static_cast<std::uint64_t>(number) * 5'000 + i);
    put(numbered("d", number), values);
  }

  FailureWarnings warnings_;
  std::filesystem::path lock_ = path_ / format::kMergeLock, aside_ = path_ / "aside";
};

TEST_F(MergeThatFails, IsCountedWhileWritesGoOnAndTheNextOneSucceeds) {
  prevent_merges();
  const std::uint64_t before = failures_of(Round::merge);
  put("a", {1, 2, 3});
  await_another_failure(before);
  put("b", {2, 3, 4});
  EXPECT_EQ(found({2, 3}), (std::vector<std::string>{"a:2", "b:2"}));
  EXPECT_TRUE(store_->flush_and_merge(true).has_error());
  allow_merges();
  must(store_->flush_and_merge(true));
  EXPECT_EQ(found({2, 3}), (std::vector<std::string>{"a:2", "b:2"}));
}

TEST_F(MergeThatFails, IsNoneOfAStoreThatAnotherOneHasReplaced) {
  put("a", {1, 2, 3});
  std::filesystem::rename(path_, folder_.path() / "replaced");
  EXPECT_FALSE(store_->flush_and_merge(true).has_error());
  std::filesystem::create_directory(path_);
  EXPECT_FALSE(store_->flush_and_merge(true).has_error());
  EXPECT_EQ(found({2}), (std::vector<std::string>{"a:1"}));
}

TEST_F(MergeThatFails, OfAStoreThatHasLostItsLockFileIsAnError) {
  put("a", {1, 2, 3});
  std::filesystem::rename(lock_, aside_);
  EXPECT_EQ(store_->flush_and_merge(true).error().code, Errc::not_found);
}

TEST_F(MergeThatFails, InTheThreadOfAWriterIsCountedAndWarnedOfAndTheWriteSucceeds) {
  constexpr std::size_t kRunsOfABusyWriter = 64;
  LmdbStoreOptions options;
  options.small_run_postings = 4096;
  open(options);
  prevent_merges();
  const std::uint64_t before = failures_of(Round::merge_while_writing);
  int documents = 0;
  while (failures_of(Round::merge_while_writing) == before) {
    ASSERT_LT(documents, 200) << stats().runs << " runs";
    put_run(documents++);
  }
  EXPECT_GT(stats().runs, kRunsOfABusyWriter);
  EXPECT_EQ(search({1, 2}, 1).total, static_cast<std::uint64_t>(documents));
  allow_merges();
  for (int more = 0; stats().runs > kRunsOfABusyWriter; ++more) {
    ASSERT_LT(more, 10) << "each write merges, after as many as before";
    put_run(documents++);
  }
  EXPECT_THAT(FailureWarnings::lines(),
              testing::Contains(testing::HasSubstr("'merge_while_writing' failed")));
  EXPECT_EQ(search({1, 2}, 1).total, static_cast<std::uint64_t>(documents));
  EXPECT_THAT(verify(), testing::IsEmpty());
}

}  // namespace
}  // namespace akin::test
