// Places to work that clients share in turns.
#include "base/fair_turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace akin {
namespace {

using Turn = FairTurns::Turn;

class FairTurnsOfClients : public testing::Test {
 protected:
  /// A thread that takes a turn, notes the client's name and gives the turn back at once.
  void wait_as(const std::string& client) {
    const std::size_t before = turns_.waiting();
    threads_.emplace_back([this, client] {
      const std::optional<Turn> turn = turns_.take(client);
      const std::lock_guard lock(mutex_);
      order_ += turn ? client : "-";
    });
    while (turns_.waiting() == before) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  FairTurns turns_{2, 8};
  std::vector<std::jthread> threads_;
  std::mutex mutex_;
  std::string order_;
};

TEST_F(FairTurnsOfClients, OneClientLeavesPlacesToOthers) {
  FairTurns turns(4, 0);
  std::vector<Turn> taken;
  for (const char* client : {"a", "a", "b", "c"}) {
    auto turn = turns.take(client);
    ASSERT_TRUE(turn) << client << taken.size();
    taken.push_back(*std::move(turn));
    if (taken.size() == 2) {
      EXPECT_FALSE(turns.take("a"));
    }
  }
  EXPECT_FALSE(turns.take("d")) << "all are taken";
  taken.pop_back();
  EXPECT_TRUE(turns.take("d"));
}

TEST_F(FairTurnsOfClients, ThoseWhoWaitGoOnInTurns) {
  std::optional<Turn> first = turns_.take("x");
  std::optional<Turn> second = turns_.take("y");
  for (const char* client : {"a", "a", "a", "b", "b", "c"}) wait_as(client);
  first.reset();  // one place: the order is certain
  threads_.clear();
  EXPECT_EQ(order_, "abcaba");
}

TEST_F(FairTurnsOfClients, OneClientDoesNotFillThePlacesToWait) {
  const std::optional<Turn> first = turns_.take("x"), second = turns_.take("y");
  for (int i = 0; i < 4; ++i) wait_as("a");
  EXPECT_FALSE(turns_.take("a")) << "it has as many as are free";
  wait_as("b");
  wait_as("b");
  EXPECT_FALSE(turns_.take("b"));
  wait_as("c");
  turns_.close();
  threads_.clear();
  EXPECT_EQ(order_, "-------");
}

TEST_F(FairTurnsOfClients, NobodyGetsATurnOnceItIsClosed) {
  turns_.close();
  EXPECT_FALSE(turns_.take("a"));
}

TEST_F(FairTurnsOfClients, NoMoreWorkAtATimeThanThereArePlaces) {
  FairTurns turns(3, 64);
  std::atomic<int> working = 0, most = 0, done = 0;
  for (int i = 0; i < 12; ++i) {
    threads_.emplace_back([&, client = std::to_string(i % 4)] {
      for (int round = 0; round < 50; ++round) {
        const std::optional<Turn> turn = turns.take(client);
        if (!turn) continue;
        const int now = ++working;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::yield();
        --working;
        ++done;
      }
    });
  }
  threads_.clear();
  EXPECT_LE(most, 3);
  EXPECT_EQ(done, 600);
  EXPECT_EQ(turns.waiting(), 0U);
}

}  // namespace
}  // namespace akin
