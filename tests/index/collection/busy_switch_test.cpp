// Thirty generations under writers and searches: each answer is one that held while it was asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

#include "base/hash.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

constexpr int kSwitches = 30;
constexpr std::size_t kWriters = 2, kSearchers = 4, kMostWrites = 10'000;
constexpr std::uint64_t kIds = 20;
constexpr int kCommon = 8;

/// id → how many sentences it shares with the query.
using Shares = std::map<std::string, int>;

struct Step {
  std::string id;
  int shared = 0;  ///< 0: the document is removed
};

Step step_of(std::size_t writer, std::size_t number) {
  const std::uint64_t choice = mix64(writer * kMostWrites + number);
  const std::uint64_t kind = choice / kIds % (kCommon + 2);
  return {numbered(numbered("w", writer) + "-", choice % kIds),
          kind <= kCommon ? static_cast<int>(kind) : kCommon};
}

/// What a writer's documents share with the query after each number of its writes.
std::vector<Shares> history_of(std::size_t writer) {
  std::vector<Shares> history(1);
  for (std::size_t number = 0; number < kMostWrites; ++number) {
    Shares next = history.back();
    const Step step = step_of(writer, number);
    next.erase(step.id);
    if (step.shared > 0) next.emplace(step.id, step.shared);
    history.push_back(std::move(next));
  }
  return history;
}

class BusySwitch : public CatalogTest {
 protected:
  /// How many writes have begun, and were acknowledged.
  struct Progress {
    std::atomic<std::size_t> begun = 0, acknowledged = 0;
  };

  void write(std::size_t writer) {
    Progress& own = progress_.at(writer);
    while (!done_ && own.begun < kMostWrites) {
      const Step step = step_of(writer, own.begun++);
      const std::shared_ptr<Collection> books = must(catalog_->get("books"));
      if (step.shared > 0) {
        const std::string own_text = text_of(step.id + "x" + std::to_string(own.begun), 3);
        put(*books, step.id, text_of("common", step.shared) + own_text);
      } else {
        must(books->remove({step.id}));
      }
      ++own.acknowledged;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void search() {
    const std::string query = text_of("common", kCommon);
    while (!done_) {
      std::array<std::size_t, kWriters> first{}, last{};
      for (std::size_t writer = 0; writer < kWriters; ++writer)
        first.at(writer) = progress_.at(writer).acknowledged;
      std::array<Shares, kWriters> told;
      const std::shared_ptr<Collection> books = must(catalog_->get("books"));
      const FeatureSequence features = must(books->analyze(query));
      SearchRequest request;
      request.query = &features;
      request.bound = 0;
      request.limit = 1'000;
      for (const Hit& hit : must(must(books->snapshot())->search(request)).hits) {
        const auto writer = static_cast<std::size_t>(hit.document.id.at(1) - '0');
        told.at(writer).emplace(hit.document.id, static_cast<int>(hit.overlap.x));
      }
      for (std::size_t writer = 0; writer < kWriters; ++writer) last.at(writer) = progress_.at(writer).begun;
      for (std::size_t writer = 0; writer < kWriters; ++writer) {
        const auto from = histories_.at(writer).begin() + static_cast<std::ptrdiff_t>(first.at(writer));
        const auto to = histories_.at(writer).begin() + static_cast<std::ptrdiff_t>(last.at(writer)) + 1;
        ASSERT_NE(std::find(from, to, told.at(writer)), to)
            << "no state of writer " << writer << " between " << first.at(writer) << " and "
            << last.at(writer) << " writes is " << testing::PrintToString(told.at(writer));
      }
      ++searches_;
    }
  }

  std::array<Progress, kWriters> progress_;
  std::array<std::vector<Shares>, kWriters> histories_{history_of(0), history_of(1)};
  std::atomic<bool> done_ = false;
  std::atomic<std::size_t> searches_ = 0;
};

TEST_F(BusySwitch, EveryAnswerHeldWhileItWasAskedFor) {
  must(catalog_->create("books", "sentences"));
  {
    std::vector<std::jthread> threads;
    for (std::size_t writer = 0; writer < kWriters; ++writer)
      threads.emplace_back([this, writer] { write(writer); });
    for (std::size_t searcher = 0; searcher < kSearchers; ++searcher)
      threads.emplace_back([this] { search(); });
    const std::shared_ptr<void> end(nullptr, [this](void*) { done_ = true; });
    for (int i = 0; i < kSwitches && !HasFailure(); ++i) must(catalog_->compact("books", {}));
  }
  const std::shared_ptr<Collection> books = must(catalog_->get("books"));
  Shares expected;
  std::size_t writes = 0;
  for (std::size_t writer = 0; writer < kWriters; ++writer) {
    EXPECT_GT(progress_.at(writer).acknowledged, 0U);
    writes += progress_.at(writer).acknowledged;
    expected.merge(histories_.at(writer).at(progress_.at(writer).acknowledged));
  }
  std::vector<std::string> expected_ids;
  for (const auto& [id, shared] : expected) expected_ids.push_back(id);
  EXPECT_EQ(ids(*books), expected_ids);
  EXPECT_THAT(verify(*books), testing::IsEmpty());
  EXPECT_GT(searches_, 0U);
  std::printf("%d switches, %zu writes, %zu searches\n", kSwitches, writes, searches_.load());
}

}  // namespace
}  // namespace akin::test
