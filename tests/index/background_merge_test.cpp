// A merge that fails in the background is counted, and a later one succeeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "base/background_failures.h"
#include "index/lmdb/format.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class MergeThatFails : public StoreTest {
 protected:
  static void await_another_failure(std::uint64_t before) {
    while (failures_of(Round::merge) == before) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
};

TEST_F(MergeThatFails, IsCountedWhileWritesGoOnAndTheNextOneSucceeds) {
  const std::filesystem::path lock = path_ / format::kMergeLock;
  const std::filesystem::path aside = path_ / "aside";
  std::filesystem::rename(lock, aside);
  std::filesystem::create_directory(lock);  // so that no merge can begin
  const std::uint64_t before = failures_of(Round::merge);
  put("a", {1, 2, 3});
  await_another_failure(before);
  put("b", {2, 3, 4});
  EXPECT_EQ(found({2, 3}), (std::vector<std::string>{"a:2", "b:2"}));
  EXPECT_TRUE(store_->flush_and_merge(true).has_error());
  std::filesystem::remove(lock);
  std::filesystem::rename(aside, lock);
  must(store_->flush_and_merge(true));
  EXPECT_EQ(found({2, 3}), (std::vector<std::string>{"a:2", "b:2"}));
}

}  // namespace
}  // namespace akin::test
