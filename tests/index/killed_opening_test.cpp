// A process that is killed while it opens an environment, and another one that waits for that.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "base/files.h"
#include "index/lmdb/lmdb.h"
#include "tests/support/child_process.h"
#include "tests/support/numbered.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using std::chrono::milliseconds;

class KilledOpening : public testing::Test {
 protected:
  lmdb::Env open() const { return must(lmdb::Env::open(folder_.path(), {{"plain"}}, {}, true)); }

  static void put(lmdb::Env& env, const std::string& key) {
    must(env.write([&](lmdb::WriteTxn& txn) { return txn.put(env.tables()[0], key, "value"); }));
  }
  static bool has(const lmdb::Env& env, const std::string& key) {
    return must(must(env.read()).get(env.tables()[0], key)).has_value();
  }

  /// Whether a process is making LMDB's lock file ready for all, which only the first one to open does.
  bool is_being_prepared() const {
    const FileHandle file(::open((folder_.path() / "lock.mdb").c_str(), O_RDWR | O_CLOEXEC));
    struct flock lock = {};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    return fcntl(file.get(), F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
  }

  /// A process that stands still in the midst of that.
  std::unique_ptr<ChildProcess> stopped_in_opening() const {
    auto child = std::make_unique<ChildProcess>([this](const ChildSide&) -> int {
      for (;;) open();
    });
    for (int pause = 0;; ++pause) {
      child->stop();
      if (is_being_prepared()) return child;
      child->resume();
      std::this_thread::sleep_for(std::chrono::microseconds(100 + pause % 97));
    }
  }

  TemporaryFolder folder_;
};

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

}  // namespace
}  // namespace akin::test
