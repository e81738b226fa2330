#include "base/per_thread.h"

#include <gtest/gtest.h>

#include <thread>

namespace akin {
namespace {

int ended = 0;

struct Counted {
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { ++ended; }
  int value = 0;
};
struct Other;

TEST(PerThread, IsTheSameAtEachUse) {
  PerThread<int>::get() = 7;
  EXPECT_EQ(*PerThread<int>::find(), 7);
}

TEST(PerThread, IsAnotherOnAnotherThread) {
  PerThread<int>::get() = 7;
  std::thread([] { EXPECT_EQ(PerThread<int>::get(), 0); }).join();
}

TEST(PerThread, IsAnotherWithAnotherTag) {
  PerThread<int>::get() = 7;
  EXPECT_EQ((PerThread<int, Other>::get()), 0);
}

TEST(PerThread, EndsWithTheThread) {
  ended = 0;
  std::thread([] {
    PerThread<Counted>::get().value = 1;
    PerThread<Counted, Other>::get().value = 2;
  }).join();
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace akin
