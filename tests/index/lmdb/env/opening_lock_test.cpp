// Processes that open one environment, one of which is killed; the lock by which they take turns; and threads
// that open one store.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/files.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/env/opening.h"
#include "index/lmdb/store/store.h"
#include "tests/support/child_process.h"
#include "tests/support/numbered.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using std::chrono::milliseconds;

/// The kind of lock that other processes have on the byte of LMDB's lock file that everyone locks who opens
/// the environment. LMDB's locks in this process are released if it has the environment open.
int lock_of_others(const std::filesystem::path& environment) {
  const FileHandle file(::open((environment / "lock.mdb").c_str(), O_RDWR | O_CLOEXEC));
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return fcntl(file.get(), F_GETLK, &lock) == 0 ? lock.l_type : -1;
}

class SharedEnvironments : public testing::Test {
 protected:
  lmdb::Env open() const { return must(lmdb::Env::open(folder_.path(), {{"plain"}}, {}, true)); }

  static void put(lmdb::Env& env, const std::string& key) {
    must(env.write([&](lmdb::WriteTxn& txn) { return txn.put(env.tables()[0], key, "value"); }));
  }
  static bool has(const lmdb::Env& env, const std::string& key) {
    return must(must(env.read()).get(env.tables()[0], key)).has_value();
  }

  /// A process that stands still while it makes LMDB's lock file ready for all, as the first one to open
  /// does.
  std::unique_ptr<ChildProcess> stopped_in_opening() const {
    auto child = std::make_unique<ChildProcess>([this](const ChildSide&) -> int {
      for (;;) open();
    });
    for (int pause = 0;; ++pause) {
      child->stop();
      if (lock_of_others(folder_.path()) == F_WRLCK) return child;
      child->resume();
      std::this_thread::sleep_for(std::chrono::microseconds(100 + pause % 97));
    }
  }

  TemporaryFolder folder_;
};

using KilledOpening = SharedEnvironments;

TEST_F(KilledOpening, LosesNoWriteOfTheProcessThatWaitsForIt) {
  constexpr int kRounds = 20;  // the newest state is on either of LMDB's two meta pages
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    {
      lmdb::Env env = open();
      for (int i = 0; i <= round % 2; ++i) put(env, "before");
    }
    const std::unique_ptr<ChildProcess> opening = stopped_in_opening();
    ChildProcess writing([&](const ChildSide& parent) -> int {
      lmdb::Env env = open();
      put(env, numbered("key", round));
      parent.tell("acknowledged");
      for (;;) pause();
    });
    std::this_thread::sleep_for(milliseconds(20));
    opening->kill();
    EXPECT_EQ(writing.line(), "acknowledged");
    writing.kill();
    const lmdb::Env env = open();
    for (int i = 0; i <= round; ++i) EXPECT_TRUE(has(env, numbered("key", i))) << round << ": " << i;
  }
}

using ProcessNumbers = SharedEnvironments;

TEST_F(ProcessNumbers, OfTwoContainersThatAreTheSameAreAnErrorThatSaysSo) {
  open();
  // As another PID namespace's process of this number would.
  ChildProcess other([this](const ChildSide& parent) -> int {
    const FileHandle file(::open((folder_.path() / "lock.mdb").c_str(), O_RDWR | O_CLOEXEC));
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = getppid();
    lock.l_len = 1;
    if (fcntl(file.get(), F_SETLK, &lock) != 0) return 1;
    parent.tell("has it");
    for (;;) pause();
  });
  ASSERT_EQ(other.line(), "has it");
  const Error error = lmdb::Env::open(folder_.path(), {{"plain"}}, {}, false).error();
  EXPECT_EQ(error.code, Errc::busy);
  EXPECT_THAT(error.reason, testing::HasSubstr("another container"));
  EXPECT_THAT(error.remedy, testing::HasSubstr("podman exec"));
}

class OpeningLocks : public testing::Test {
 protected:
  /// A process that acquires the lock, reports "has it", and keeps it. It ends if it waits for too long.
  std::unique_ptr<ChildProcess> locking() const {
    return std::make_unique<ChildProcess>([this](const ChildSide& parent) -> int {
      constexpr unsigned kPatienceSeconds = 20;
      alarm(kPatienceSeconds);
      const lmdb::OpeningLock lock = must(lmdb::OpeningLock::acquire(path_));
      parent.tell("has it");
      for (;;) pause();
    });
  }
  bool is_free() const {
    const FileHandle folder(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return flock(folder.get(), LOCK_EX | LOCK_NB) == 0;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "environment";
  void SetUp() override { std::filesystem::create_directory(path_); }
};

TEST_F(OpeningLocks, AreFreeOnceReleasedAlthoughAForkedProcessHasTheDescriptor) {
  std::optional<lmdb::OpeningLock> lock = must(lmdb::OpeningLock::acquire(path_));
  const ChildProcess forked([](const ChildSide&) -> int {
    for (;;) pause();
  });
  EXPECT_FALSE(is_free());
  lock.reset();
  EXPECT_TRUE(is_free());
}

TEST_F(OpeningLocks, AreOfTheFolderThatHasTheNameAfterTheWait) {
  std::optional<lmdb::OpeningLock> lock = must(lmdb::OpeningLock::acquire(path_));
  const std::unique_ptr<ChildProcess> waiting = locking();
  std::this_thread::sleep_for(milliseconds(20));
  std::filesystem::rename(path_, folder_.path() / "dropped");
  std::filesystem::create_directory(path_);
  lock.reset();
  EXPECT_EQ(waiting->line(), "has it");
  EXPECT_FALSE(is_free());
}

TEST(StoresOfAProcess, AreOpenedOnceThoughOneTakesThePlaceOfAnotherMeanwhile) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "store", next = folder.path() / "next";
  for (const auto& store : {path, next})
    must(LmdbStore::create(store, {"test-scheme", "fingerprint", "none"}));
  std::optional<lmdb::OpeningLock> lock = must(lmdb::OpeningLock::acquire(path));
  auto opening = std::async(std::launch::async, [&] { return LmdbStore::open(path); });
  std::this_thread::sleep_for(milliseconds(50));
  std::filesystem::rename(path, folder.path() / "dropped");
  std::filesystem::rename(next, path);
  lock.reset();
  const std::shared_ptr<LmdbStore> store = must(opening.get());
  // Had it been opened twice, closing one would release LMDB's locks of both.
  must(LmdbStore::open(path));
  ChildProcess other([&](const ChildSide&) { return lock_of_others(path); });
  EXPECT_EQ(other.wait(), F_RDLCK);
}

}  // namespace
}  // namespace akin::test
