// Permits to run, of which a pool has fewer than threads.
#include "base/run_permits.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

namespace akin {
namespace {

using namespace std::chrono_literals;

void let_others_run() { std::this_thread::sleep_for(1ms); }

TEST(RunPermitsOf, NoMoreThreadsRunThanThereArePermits) {
  RunPermits permits(3);
  std::atomic<int> running = 0, most = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const RunPermits::Held permit(permits);
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(100us);
        --running;
        const RunPermits::Waiting waiting;
        std::this_thread::sleep_for(100us);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(most, 3);
}

TEST(RunPermitsOf, AThreadThatWaitsLetsOthersRun) {
  RunPermits permits(1);
  std::barrier all_wait(8);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const RunPermits::Held permit(permits);
      const RunPermits::Waiting waiting;
      all_wait.arrive_and_wait();
    });
  }
}

TEST(RunPermitsOf, AThreadThatWaitedGoesFirst) {
  RunPermits permits(1);
  std::atomic<bool> waits = false, goes_on = false;
  std::atomic<int> order = 0, returned = 0, began = 0;
  std::jthread first([&] {
    const RunPermits::Held permit(permits);
    {
      const RunPermits::Waiting waiting;
      waits = true;
      while (!goes_on) let_others_run();
    }
    returned = ++order;
  });
  while (!waits) let_others_run();
  std::jthread second([&] {
    const RunPermits::Held permit(permits);
    goes_on = true;
    std::this_thread::sleep_for(50ms);  // the first one and the third one wait by then
  });
  while (!goes_on) let_others_run();
  std::jthread third([&] {
    const RunPermits::Held permit(permits);
    began = ++order;
  });
  first.join();
  third.join();
  EXPECT_EQ(returned, 1);
  EXPECT_EQ(began, 2);
}

TEST(RunPermitsOf, WaitingWithoutAPermitDoesNothing) {
  const RunPermits::Waiting waiting;
  RunPermits permits(1);
  const RunPermits::Held permit(permits);
}

}  // namespace
}  // namespace akin
