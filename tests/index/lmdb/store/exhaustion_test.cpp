// Writes whose work throws, as it does when memory runs out: they fail, and everything else goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>
#include <vector>

#include "index/lmdb/store/open_store.h"
#include "index/lmdb/store/store.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class Exhaustion : public StoreTest {
 protected:
  Exhaustion() {
    put("kept", {1, 2, 3});
    close();
    shared_ = share_store(path_, {}).value();
  }

  std::shared_ptr<OpenStore> shared_;
};

TEST_F(Exhaustion, WriteThatThrowsFailsAndTheNextOneSucceeds) {
  const auto failed = shared_->queue.write([](DocumentBatch&) -> Result<void> { throw std::bad_alloc(); });
  ASSERT_TRUE(failed.has_error());
  EXPECT_EQ(failed.error().code, Errc::busy);
  EXPECT_FALSE(shared_->queue.write([](DocumentBatch&) -> Result<void> { return {}; }).has_error());
}

TEST_F(Exhaustion, WritesThatWaitWithOneThatThrowsSucceed) {
  constexpr int kWritingThreads = 8, kWrites = 50;
  std::atomic<int> failed = 0, succeeded = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kWritingThreads; ++thread) {
      threads.emplace_back([&, throws = thread % 2 == 0] {
        for (int round = 0; round < kWrites; ++round) {
          const auto written = shared_->queue.write([&](DocumentBatch&) -> Result<void> {
            if (throws) throw std::bad_alloc();
            return {};
          });
          ++(written.has_error() ? failed : succeeded);
        }
      });
    }
  }
  EXPECT_EQ(failed, kWritingThreads / 2 * kWrites);
  EXPECT_EQ(succeeded, kWritingThreads / 2 * kWrites);
}

TEST_F(Exhaustion, CopyWhoseReaderThrowsEnds) {
  const auto copied = shared_->env.copy([](std::string_view) -> Result<void> { throw std::bad_alloc(); });
  ASSERT_TRUE(copied.has_error());
  EXPECT_EQ(copied.error().code, Errc::busy);
  std::size_t bytes = 0;
  EXPECT_FALSE(shared_->env
                   .copy([&](std::string_view piece) -> Result<void> {
                     bytes += piece.size();
                     return {};
                   })
                   .has_error());
  EXPECT_GT(bytes, 0U);
}

}  // namespace
}  // namespace akin::test
