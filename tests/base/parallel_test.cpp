#include "base/parallel.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace akin {
namespace {

std::set<std::thread::id> threads_of_a_loop() {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for_each_index(100, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  return threads;
}

TEST(ForEachIndex, CallsTheWorkOnceForEachIndex) {
  std::vector<std::atomic<int>> calls(1000);
  for_each_index(calls.size(), [&](std::size_t i) { ++calls[i]; });
  for (const auto& one : calls) EXPECT_EQ(one, 1);
}

TEST(ForEachIndex, StaysOnItsThreadWhereOthersWorkBeside) {
  EXPECT_FALSE(works_beside_others());
  run_threads(2, [](unsigned) {
    EXPECT_TRUE(works_beside_others());
    EXPECT_EQ(threads_of_a_loop(), std::set{std::this_thread::get_id()});
    run_threads(1, [](unsigned) { EXPECT_TRUE(works_beside_others()); });
    EXPECT_TRUE(works_beside_others());
  });
  EXPECT_FALSE(works_beside_others());
}

TEST(ForEachIndex, UsesMoreThreadsForTheWorkOfOne) {
  run_threads(1, [](unsigned) { EXPECT_FALSE(works_beside_others()); });
}

}  // namespace
}  // namespace akin
