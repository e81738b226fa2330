// Work in order on several threads.
#include "base/ordered_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace akin {
namespace {

using Numbers = OrderedWork<int, int>;

TEST(OrderedWorkOf, TakesInOrderWhateverTheThreadsDo) {
  Numbers ordered(4, 16);
  int next = 0;
  std::vector<int> taken;
  const auto outcome = ordered.run(
      [&]() -> Result<std::optional<int>> { return next < 2000 ? std::optional<int>(next++) : std::nullopt; },
      [](unsigned, int piece) {
        if (piece % 17 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
        return piece * 2;
      },
      [&](int piece, bool) {
        taken.push_back(piece);
        return true;
      });
  EXPECT_FALSE(outcome.has_error());
  ASSERT_EQ(taken.size(), 2000U);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(taken[static_cast<std::size_t>(i)], i * 2);
}

TEST(OrderedWorkOf, AnswersBeforeTheNextQuestionComes) {
  Numbers ordered(2, 16);
  std::atomic<int> answered = -1;
  int next = 0;
  const auto outcome = ordered.run(
      [&]() -> Result<std::optional<int>> {
        // Waits for the answer to what it gave before.
        while (answered.load() < next - 1) std::this_thread::yield();
        return next < 50 ? std::optional<int>(next++) : std::nullopt;
      },
      [](unsigned, int piece) { return piece; },
      [&](int piece, bool idle) {
        EXPECT_TRUE(idle);
        answered = piece;
        return true;
      });
  EXPECT_FALSE(outcome.has_error());
  EXPECT_EQ(answered.load(), 49);
}

TEST(OrderedWorkOf, ReturnsTheReadersErrorAfterWhatCameBefore) {
  Numbers ordered(2, 4);
  int next = 0;
  int taken = 0;
  const auto outcome = ordered.run(
      [&]() -> Result<std::optional<int>> {
        if (next == 10) return Error{Errc::io, "input", "broke", ""};
        return std::optional<int>(next++);
      },
      [](unsigned, int piece) { return piece; },
      [&](int, bool) {
        ++taken;
        return true;
      });
  ASSERT_TRUE(outcome.has_error());
  EXPECT_EQ(outcome.error().code, Errc::io);
  EXPECT_EQ(taken, 10);
}

TEST(OrderedWorkOf, EndsWhenTheTakerEnds) {
  Numbers ordered(3, 4);
  int taken = 0;
  const auto outcome =
      ordered.run([&]() -> Result<std::optional<int>> { return std::optional<int>(1); },
                  [](unsigned, int piece) { return piece; }, [&](int, bool) { return ++taken < 5; });
  EXPECT_FALSE(outcome.has_error());
  EXPECT_EQ(taken, 5);
}

TEST(OrderedWorkOf, ExceptionsReachTheCaller) {
  Numbers ordered(2, 4);
  int next = 0;
  EXPECT_THROW((void)ordered.run(
                   [&]() -> Result<std::optional<int>> {
                     return next < 100 ? std::optional<int>(next++) : std::nullopt;
                   },
                   [](unsigned, int piece) {
                     if (piece == 7) throw std::runtime_error("seven");
                     return piece;
                   },
                   [](int, bool) { return true; }),
               std::runtime_error);
}

TEST(OrderedWorkOf, NoThreadReadsWhileTheWindowIsFull) {
  // Each result weighs 10: one may wait in a window of 9, and each of the three threads may have another one.
  OrderedWork<int, int> ordered(3, 9, [](const int&) { return std::size_t{10}; });
  std::atomic<int> held = 0;
  int next = 0;
  int most = 0;
  const auto outcome = ordered.run(
      [&]() -> Result<std::optional<int>> {
        if (next == 200) return std::optional<int>();
        most = std::max(most, ++held);
        return std::optional(next++);
      },
      [](unsigned, int piece) { return piece; },
      [&](int, bool) {
        --held;
        return true;
      });
  EXPECT_FALSE(outcome.has_error());
  EXPECT_LE(most, 4);
}

TEST(OrderedWorkOf, ErrorOfTheTakerEndsTheRun) {
  Numbers ordered(2, 4);
  int taken = 0;
  const auto outcome = ordered.run([&]() -> Result<std::optional<int>> { return std::optional<int>(1); },
                                   [](unsigned, int piece) { return piece; },
                                   [&](int, bool) -> Result<bool> {
                                     if (++taken < 5) return true;
                                     return Error{Errc::io, "output", "broke", ""};
                                   });
  ASSERT_TRUE(outcome.has_error());
  EXPECT_EQ(outcome.error().code, Errc::io);
}

}  // namespace
}  // namespace akin
