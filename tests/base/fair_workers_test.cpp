// Threads that do the work of clients in turns, and what waiting changes.
#include "base/fair_workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace akin {
namespace {

using namespace std::chrono_literals;

/// A signal that work waits for.
class Door {
 public:
  void open() {
    if (!open_.exchange(true)) open_.notify_all();
  }
  void pass() const { open_.wait(false); }
  [[nodiscard]] bool is_open() const { return open_; }

 private:
  std::atomic<bool> open_ = false;
};

/// Opens doors before the workers, which were made before it, wait for their pieces.
class AtEnd {
 public:
  explicit AtEnd(std::vector<Door*> doors) : doors_(std::move(doors)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() {
    for (Door* const door : doors_) door->open();
  }

 private:
  const std::vector<Door*> doors_;
};

/// Counts what it has seen up to a number.
class Counter {
 public:
  void add() { ++count_; }
  [[nodiscard]] bool reaches(int wanted, std::chrono::milliseconds patience = 5s) const {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (count_ < wanted && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return count_ >= wanted;
  }
  [[nodiscard]] int count() const { return count_; }

 private:
  std::atomic<int> count_ = 0;
};

TEST(FairWorkersOf, NoMorePiecesAreWorkedOnThanThereArePlaces) {
  std::atomic<int> working = 0, most = 0;
  Counter done;
  FairWorkers workers({.working = 3, .waiting = 5});
  for (int i = 0; i < 200; ++i) {
    workers.add({.client = "c" + std::to_string(i % 7), .work = [&] {
                   const int now = ++working;
                   for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
                   }
                   std::this_thread::sleep_for(100us);
                   --working;
                   done.add();
                 }});
  }
  EXPECT_TRUE(done.reaches(200));
  EXPECT_EQ(most, 3);
}

TEST(FairWorkersOf, APieceThatWaitsLetsOthersWork) {
  std::barrier all_wait(8);
  Counter done;
  FairWorkers workers({.working = 1, .waiting = 7});
  for (int i = 0; i < 8; ++i) {
    workers.add({.client = "one", .work = [&] {
                   const Waiting waiting;
                   all_wait.arrive_and_wait();
                   done.add();
                 }});
  }
  EXPECT_TRUE(done.reaches(8));
}

TEST(FairWorkersOf, APieceGoesOnAtOnceWhenItHasWaited) {
  Door waited, held;
  Counter waits, holds, done;
  FairWorkers workers({.working = 1, .waiting = 1});
  const AtEnd opens({&waited, &held});
  workers.add({.client = "one", .work = [&] {
                 {
                   const Waiting waiting;
                   waits.add();
                   waited.pass();
                 }
                 done.add();
               }});
  ASSERT_TRUE(waits.reaches(1));
  workers.add({.client = "two", .work = [&] {
                 holds.add();
                 held.pass();
               }});
  ASSERT_TRUE(holds.reaches(1));
  waited.open();
  EXPECT_TRUE(done.reaches(1));
}

TEST(FairWorkersOf, AClientThatHasNothingAtWorkBeginsBesideTheLongWorkOfAnother) {
  Door held;
  Counter holds, done;
  FairWorkers workers({.working = 2, .further = 4});
  const AtEnd opens({&held});
  for (int i = 0; i < 20; ++i) {
    workers.add({.client = "heavy", .work = [&] {
                   holds.add();
                   held.pass();
                 }});
  }
  ASSERT_TRUE(holds.reaches(2));
  for (int i = 0; i < 50; ++i) {
    workers.add({.client = "light", .work = [&] { done.add(); }});
    ASSERT_TRUE(done.reaches(i + 1)) << "piece " << i;
  }
}

TEST(FairWorkersOf, AClientsShortWorkBeginsBesideItsOwnLongWork) {
  Door held;
  Counter holds, done;
  FairWorkers workers({.working = 2, .further = 6});
  const AtEnd opens({&held});
  for (int i = 0; i < 2; ++i) {
    workers.add({.client = "one", .work = [&] {
                   holds.add();
                   held.pass();
                 }});
  }
  ASSERT_TRUE(holds.reaches(2));
  workers.add({.client = "one", .work = [&] { done.add(); }});
  EXPECT_TRUE(done.reaches(1));
}

TEST(FairWorkersOf, OneClientLeavesPlacesToOthers) {
  Door held;
  Counter holds, others;
  FairWorkers workers({.working = 2, .further = 6});
  const AtEnd opens({&held});
  for (int i = 0; i < 20; ++i) {
    workers.add({.client = "heavy", .work = [&] {
                   holds.add();
                   held.pass();
                 }});
  }
  ASSERT_TRUE(holds.reaches(4));
  EXPECT_FALSE(holds.reaches(6, 500ms));
  workers.add({.client = "other", .work = [&] { others.add(); }});
  EXPECT_TRUE(others.reaches(1));
}

TEST(FairWorkersOf, ClientsTakeTurns) {
  Door held;
  Counter holds, done;
  std::mutex mutex;
  std::string order;
  FairWorkers workers({.working = 1});
  const AtEnd opens({&held});
  workers.add({.client = "first", .work = [&] {
                 holds.add();
                 held.pass();
               }});
  ASSERT_TRUE(holds.reaches(1));
  for (const char name : std::string("aaabbc")) {
    workers.add({.client = std::string(1, name), .work = [&, name] {
                   const std::lock_guard lock(mutex);
                   order += name;
                   done.add();
                 }});
  }
  held.open();
  ASSERT_TRUE(done.reaches(6));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(order, "abcaba");
}

TEST(FairWorkersOf, PiecesOfOneSubjectThatWaitLeaveThreadsToOthers) {
  Door held;
  Counter waits, done;
  FairWorkers workers({.working = 2, .waiting = 30});
  const AtEnd opens({&held});
  for (int i = 0; i < 100; ++i) {
    workers.add({.client = "c" + std::to_string(i), .subject = "stuck", .work = [&] {
                   const Waiting waiting;
                   waits.add();
                   held.pass();
                 }});
  }
  ASSERT_TRUE(waits.reaches(16));
  for (int i = 0; i < 10; ++i) {
    workers.add({.client = "c", .subject = "sound", .work = [&] { done.add(); }});
  }
  EXPECT_TRUE(done.reaches(10));
  EXPECT_EQ(waits.count(), 16);
}

TEST(FairWorkersOf, WaitsEndWhenTheWorkIsStopped) {
  std::stop_source stop;
  Counter waits, done;
  std::atomic<Waited> waited = Waited::done;
  FairWorkers workers({.working = 1, .waiting = 1});
  workers.add({.client = "one", .stop = stop.get_token(), .work = [&] {
                 waited = wait_for(1h, [&] {
                   waits.add();
                   return false;
                 });
                 done.add();
               }});
  ASSERT_TRUE(waits.reaches(2));
  stop.request_stop();
  EXPECT_TRUE(done.reaches(1));
  EXPECT_EQ(waited, Waited::stopped);
}

TEST(FairWorkersOf, PiecesThatHaveNotBegunAreDropped) {
  Counter holds, done;
  auto held = std::make_shared<Door>();
  const auto kept = std::make_shared<int>();
  {
    FairWorkers workers({.working = 1});
    workers.add({.client = "one", .work = [&] {
                   holds.add();
                   held->pass();
                 }});
    ASSERT_TRUE(holds.reaches(1));
    workers.add({.client = "one", .work = [&done, kept] { done.add(); }});
    std::jthread stopping([&] { workers.stop_and_join(); });
    std::this_thread::sleep_for(50ms);
    held->open();
    stopping.join();
    EXPECT_EQ(done.count(), 0);
  }
  EXPECT_EQ(kept.use_count(), 1);
}

/// A piece whose work is to share parts.
FairWorkers::Piece sharing(std::size_t parts, std::function<void(std::size_t)> part, Counter& done) {
  return {.client = "heavy", .work = [parts, part = std::move(part), &done] {
            for_each_index(parts, part);
            done.add();
          }};
}

TEST(SharedParts, AreDoneByThreadsWithoutAPiece) {
  std::barrier all_work(3);
  Counter done;
  FairWorkers workers({.working = 3});
  workers.add(sharing(
      3, [&](std::size_t) { all_work.arrive_and_wait(); }, done));
  EXPECT_TRUE(done.reaches(1));
}

TEST(SharedParts, AreEachDoneOnce) {
  std::vector<std::atomic<int>> calls(10'000);
  Counter done;
  FairWorkers workers({.working = 4});
  workers.add(sharing(
      calls.size(), [&](std::size_t i) { ++calls[i]; }, done));
  ASSERT_TRUE(done.reaches(1));
  for (const auto& one : calls) EXPECT_EQ(one, 1);
}

TEST(SharedParts, LetAPieceBeginBeforeTheNext) {
  Door held;
  Counter parts, light;
  FairWorkers workers({.working = 2});
  const AtEnd opens({&held});
  workers.add({.client = "heavy", .work = [&] {
                 const std::thread::id own = std::this_thread::get_id();
                 for_each_index(1'000'000, [&](std::size_t) {
                   if (std::this_thread::get_id() == own) return held.pass();
                   parts.add();
                   std::this_thread::sleep_for(held.is_open() ? 0ms : 1ms);
                 });
               }});
  ASSERT_TRUE(parts.reaches(3));
  workers.add({.client = "light", .work = [&] { light.add(); }});
  EXPECT_TRUE(light.reaches(1));
  const int before = parts.count();
  EXPECT_TRUE(parts.reaches(before + 3)) << "the thread returns to the parts";
  workers.add({.client = "light", .work = [&] { light.add(); }});
  EXPECT_TRUE(light.reaches(2));
}

TEST(SharedParts, ThatWaitLetOthersWork) {
  Door held;
  Counter waits, light, done;
  FairWorkers workers({.working = 2, .waiting = 2});
  const AtEnd opens({&held});
  workers.add(sharing(
      2,
      [&](std::size_t) {
        const Waiting waiting;
        waits.add();
        held.pass();
      },
      done));
  ASSERT_TRUE(waits.reaches(2));
  workers.add({.client = "light", .work = [&] { light.add(); }});
  EXPECT_TRUE(light.reaches(1));
  held.open();
  EXPECT_TRUE(done.reaches(1));
}

TEST(SharedParts, AreStoppedWithTheirPiece) {
  std::stop_source stop;
  stop.request_stop();
  std::atomic<int> stopped = 0;
  std::barrier all_work(2);
  Counter done;
  FairWorkers workers({.working = 2});
  FairWorkers::Piece piece = sharing(
      2,
      [&](std::size_t) {
        all_work.arrive_and_wait();
        stopped += check_work().has_error() ? 1 : 0;
      },
      done);
  piece.stop = stop.get_token();
  workers.add(std::move(piece));
  ASSERT_TRUE(done.reaches(1));
  EXPECT_EQ(stopped, 2);
}

TEST(SharedParts, PassTheirExceptionToThePiece) {
  std::barrier all_work(2);
  Counter caught;
  FairWorkers workers({.working = 2});
  workers.add({.client = "heavy", .work = [&] {
                 const std::thread::id own = std::this_thread::get_id();
                 try {
                   for_each_index(2, [&](std::size_t) {
                     all_work.arrive_and_wait();
                     if (std::this_thread::get_id() != own) throw std::runtime_error("of the other thread");
                   });
                 } catch (const std::runtime_error&) {
                   caught.add();
                 }
               }});
  EXPECT_TRUE(caught.reaches(1));
}

TEST(WaitFor, EndsWithinItsPatience) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(wait_for(50ms, [] { return false; }), Waited::too_long);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(wait_for(0ms, [] { return true; }), Waited::done);
}

}  // namespace
}  // namespace akin
