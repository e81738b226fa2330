// A process killed at any moment of a bulk load into PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "index/pg/merge.h"
#include "tests/index/pg/fault_fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/numbered.h"

namespace akin::test {
namespace {

int kills() {
  const char* const wished = std::getenv("AKIN_KILLS");
  return wished != nullptr ? std::atoi(wished) : 6;
}

class KilledLoad : public FaultTest {
 protected:
  /// Large ones are copied, small ones inserted; some documents replace earlier ones.
  static Documents batch_of(std::uint32_t number) {
    RandomValues random(number, 5'000, 0x9e3779b97f4a7c15);
    Documents batch;
    const std::uint64_t size = number % 3 == 2 ? 20 : 250;
    for (std::uint64_t i = 0; i < size; ++i) batch[numbered("d", random.below(600))] = random.values(120);
    return batch;
  }

  /// Tells the number of each batch that is acknowledged.
  int load(const ChildSide& parent, std::uint32_t first) {
    store_ = must(pg::PgStore::open(std::make_shared<pg::Pool>(database_), store_->number()));
    parent.tell("begun");
    for (std::uint32_t number = first;; ++number) {
      must(put_all(batch_of(number)));
      parent.tell(std::to_string(number));
    }
  }

  void perform(std::uint32_t number) {
    for (auto& [id, values] : batch_of(number)) expected_[id] = std::move(values);
  }

  /// Until no statement of a dead process runs any more.
  void await_idle() {
    await([&] {
      return ask("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                 " AND state = 'active' AND pid <> pg_backend_pid()") == 0;
    });
  }

  [[nodiscard]] Documents stored() const {
    Documents documents;
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    for (const DocumentRecord& record : must(view->list("", 1'000'000))) {
      for (const Feature feature : must(view->features(record.id)).hashes)
        documents[record.id].push_back(static_cast<std::uint64_t>(feature));
      documents.try_emplace(record.id);
    }
    return documents;
  }
};

TEST_F(KilledLoad, IsThereAsFarAsItWasAcknowledged) {
  std::uint32_t next = 0;
  int cut_off = 0;
  for (int round = 0; round < kills() && !HasFailure(); ++round) {
    {
      ChildProcess loading([&](const ChildSide& parent) { return load(parent, next); });
      ASSERT_EQ(loading.line(), "begun");
      if (round % 2 == 0) {
        ASSERT_EQ(loading.line(), std::to_string(next));
        perform(next++);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(13 * round + 5));
      loading.kill();
      for (const std::string& line : loading.lines()) {
        ASSERT_EQ(line, std::to_string(next));
        perform(next++);
      }
    }
    await_idle();
    // The batch that was not acknowledged is there or not.
    if (stored() != expected_) {
      perform(next++);
    } else {
      ++cut_off;
    }
    expect_exact();
  }
  EXPECT_GT(cut_off, 0);
  must(pg::merge_store(*pool_, store_->number(), {.erase = true}));
  EXPECT_EQ(count_content(), static_cast<std::int64_t>(expected_.size()));
  expect_exact();
  std::printf("%u batches, %d kills, %d of them before the commit\n", next, kills(), cut_off);
}

}  // namespace
}  // namespace akin::test
