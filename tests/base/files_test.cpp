#include "base/files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;

class FolderLocks : public testing::Test {
 protected:
  FolderLocks() { must(replace_file(file_, "")); }

  Result<FolderLock> share(std::chrono::milliseconds patience = 0ms) {
    return FolderLock::shared(file_, patience, "a test");
  }
  Result<FolderLock> lock_alone(std::chrono::milliseconds patience = 0ms) {
    return FolderLock::exclusive(file_, patience, "a test");
  }

  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "LOCK";
};

TEST_F(FolderLocks, AreSharedByManyOrHeldByOne) {
  {
    const FolderLock one = must(share());
    const FolderLock other = must(share());
    EXPECT_EQ(lock_alone().error().code, Errc::busy);
  }
  const FolderLock alone = must(lock_alone());
  EXPECT_EQ(share().error().code, Errc::busy);
  EXPECT_EQ(lock_alone().error().code, Errc::busy);
}

TEST_F(FolderLocks, OfTheWorkshopAreApartFromTheRoom) {
  const FolderLock workshop = must(FolderLock::workshop(file_, 0ms, "a test"));
  EXPECT_EQ(FolderLock::workshop(file_, 0ms, "a test").error().code, Errc::busy);
  EXPECT_FALSE(lock_alone().has_error());
}

TEST_F(FolderLocks, KeepNobodyWaitingBehindThoseWhoComeLater) {
  std::optional<Result<FolderLock>> inside = share();
  std::atomic<bool> is_alone = false;
  std::jthread waiting([&] {
    const Result<FolderLock> alone = lock_alone(20s);
    is_alone = !alone.has_error();
  });
  // From the moment at which somebody wants to be alone, nobody else comes in.
  const auto end = std::chrono::steady_clock::now() + 10s;
  bool refused = false;
  while (!refused && std::chrono::steady_clock::now() < end) refused = share().has_error();
  EXPECT_TRUE(refused);
  EXPECT_FALSE(is_alone);
  inside.reset();
  waiting.join();
  EXPECT_TRUE(is_alone);
}

TEST_F(FolderLocks, AreOfTheFolderThatIsThereNow) {
  const FolderLock old = must(lock_alone());
  std::filesystem::remove(file_);
  EXPECT_EQ(share().error().code, Errc::not_found);
  must(replace_file(file_, ""));
  EXPECT_FALSE(share().has_error());
}

}  // namespace
}  // namespace akin::test
