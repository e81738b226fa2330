// Writers of several processes take turns, and one that never ends is not waited for without end.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/files.h"
#include "index/lmdb/env/lmdb.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr off_t kNextByte = off_t{1} << 62, kWritingByte = kNextByte + 1;

class WriteTurns : public ::testing::Test {
 protected:
  static lmdb::Options impatient() {
    lmdb::Options options;
    options.map_bytes = std::size_t{1} << 20;
    options.write_patience = 1s;
    return options;
  }
  /// Locks or unlocks a byte as another process does: through another opening of the file.
  void set_lock(off_t byte, short kind) const {
    struct flock request = {};
    request.l_type = kind;
    request.l_whence = SEEK_SET;
    request.l_start = byte;
    request.l_len = 1;
    ASSERT_EQ(fcntl(other_.get(), F_OFD_SETLK, &request), 0);
  }
  Result<void> write() {
    return env_.write([&](lmdb::WriteTxn& txn) { return txn.put(env_.tables()[0], "key", "value"); });
  }

  TemporaryFolder folder_;
  lmdb::Env env_ = must(lmdb::Env::open(folder_.path(), {{"plain"}}, impatient(), true));
  FileHandle other_{open((folder_.path() / "data.mdb").c_str(), O_RDWR | O_CLOEXEC)};
};

TEST_F(WriteTurns, AWriterThatDoesNotEndIsWaitedForOnlySoLong) {
  for (const off_t byte : {kNextByte, kWritingByte}) {
    set_lock(byte, F_WRLCK);
    const auto begin = Clock::now();
    const Error error = write().error();
    EXPECT_LT(Clock::now() - begin, 5s);
    EXPECT_EQ(error.code, Errc::busy);
    EXPECT_NE(error.message().find("another process has been writing"), std::string::npos) << error.message();
    set_lock(byte, F_UNLCK);
    must(write());
  }
}

TEST_F(WriteTurns, AWriterThatWasWaitedForInVainIsNotWaitedForAgain) {
  set_lock(kWritingByte, F_WRLCK);
  ASSERT_EQ(write().error().code, Errc::busy);
  const auto begin = Clock::now();
  EXPECT_EQ(write().error().code, Errc::busy);
  EXPECT_LT(Clock::now() - begin, 900ms);
}

TEST_F(WriteTurns, AWriterThatEndsIsWaitedFor) {
  set_lock(kWritingByte, F_WRLCK);
  std::jthread other([&] {
    std::this_thread::sleep_for(20ms);
    set_lock(kWritingByte, F_UNLCK);
  });
  must(write());
}

TEST_F(WriteTurns, TheTurnIsGivenBack) {
  must(write());
  set_lock(kNextByte, F_WRLCK);
  set_lock(kWritingByte, F_WRLCK);
}

}  // namespace
}  // namespace akin::test
