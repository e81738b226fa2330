#include "base/file_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/files.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;

class FileLocks : public testing::Test {
 protected:
  FileLocks() { must(replace_file(file_, "")); }

  Result<FileLock> share(std::chrono::milliseconds patience = 0ms) {
    return FileLock::shared(file_, patience, "a test");
  }
  Result<FileLock> lock_alone(std::chrono::milliseconds patience = 0ms) {
    return FileLock::exclusive(file_, patience, "a test");
  }

  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "LOCK";
};

TEST_F(FileLocks, AreSharedByManyOrHeldByOne) {
  {
    const FileLock one = must(share());
    const FileLock other = must(share());
    EXPECT_EQ(lock_alone().error().code, Errc::busy);
  }
  const FileLock alone = must(lock_alone());
  EXPECT_EQ(share().error().code, Errc::busy);
  EXPECT_EQ(lock_alone().error().code, Errc::busy);
}

TEST_F(FileLocks, MaintenanceIsApartFromSharedAndExclusive) {
  const FileLock maintenance = must(FileLock::maintenance(file_, 0ms, "a test"));
  EXPECT_EQ(FileLock::maintenance(file_, 0ms, "a test").error().code, Errc::busy);
  EXPECT_FALSE(lock_alone().has_error());
}

TEST_F(FileLocks, DoNotLetLaterComersOvertakeAnExclusiveOne) {
  std::optional<Result<FileLock>> inside = share();
  std::atomic<bool> is_alone = false;
  std::jthread waiting([&] {
    const Result<FileLock> alone = lock_alone(20s);
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

TEST_F(FileLocks, AreOfTheFileThatIsThereNow) {
  const FileLock old = must(lock_alone());
  std::filesystem::remove(file_);
  EXPECT_EQ(share().error().code, Errc::not_found);
  must(replace_file(file_, ""));
  EXPECT_FALSE(share().has_error());
}

TEST_F(FileLocks, LetOneHandleWriteAFileAtATime) {
  const Error taken{Errc::busy, "a file", "is taken", ""};
  const std::filesystem::path file = folder_.path() / "written";
  std::optional<FileHandle> first = must(open_alone(file, taken));
  EXPECT_EQ(open_alone(file, taken).error().what, "a file");
  must(write_all(*first, "old", ""));

  std::filesystem::rename(file, folder_.path() / "renamed");
  const FileHandle of_new_file = must(open_alone(file, taken));
  first.reset();
  must(open_alone(folder_.path() / "renamed", taken));
  EXPECT_EQ(must(read_whole_file(folder_.path() / "renamed")), "old");
  EXPECT_EQ(open_alone(folder_.path() / "missing" / "file", taken).error().code, Errc::not_found);
}

}  // namespace
}  // namespace akin::test
