// Processes killed at any moment while one writes and another reindexes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "tests/support/catalog_fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/write_history.h"

namespace akin::test {
namespace {

/// How often processes are killed; more often in longer runs than in each.
int kills() {
  const char* wished = std::getenv("AKIN_KILLS");
  return wished != nullptr ? std::atoi(wished) : 5;
}

class KilledReindex : public CatalogTest {
 protected:
  /// Writes for ever. Tells "?n" before write n, "+n" when it is acknowledged, "!why" when it is refused.
  int write(const ChildSide& parent, std::uint32_t first) const {
    const std::shared_ptr<Catalog> catalog = open_catalog();
    const std::shared_ptr<Collection> books = must(catalog->get("books"));
    for (std::uint32_t number = first;; ++number) {
      parent.tell("?" + std::to_string(number));
      const Result<void> outcome = perform(write_of(0, number), *books);
      parent.tell(outcome.has_error() ? "!" + outcome.error().message() : "+" + std::to_string(number));
      if (outcome.has_error()) return 1;
    }
  }

  /// Rebuilds for ever, by turns as each job can.
  int rebuild(const ChildSide& parent) const {
    const std::shared_ptr<Catalog> catalog = open_catalog();
    parent.tell("begun");
    for (int i = 0;; ++i) {
      rebuild_once(*catalog, i);
      parent.tell("switched");
    }
  }

  static void rebuild_once(Catalog& catalog, int turn) {
    if (turn % 3 == 2) {
      must(catalog.compact("books", {}));
    } else {
      must(catalog.reindex("books", turn % 3 == 0 ? "sentences" : "sentence-pairs", {}));
    }
  }
};

TEST_F(KilledReindex, LeavesExactlyTheWritesThatWereAcknowledged) {
  const Generation first = must(catalog_->create("books", ""))->generation();
  catalog_.reset();
  Texts expected;
  std::uint32_t next = 0;
  std::uint32_t acknowledged = 0;
  int switches = 0;
  const int rounds = kills();
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    std::optional<std::uint32_t> begun;
    std::string last;
    {
      ChildProcess rebuilding([&](const ChildSide& parent) { return rebuild(parent); });
      ChildProcess writing([&](const ChildSide& parent) { return write(parent, next); });
      EXPECT_EQ(rebuilding.line(), "begun");
      // A slow machine switches too, every other time.
      if (round % 2 == 0) {
        EXPECT_EQ(rebuilding.line(), "switched");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(17 * (round % 20) + 20));
      rebuilding.kill();
      // The writer meets what the other has left, sometimes for long.
      std::this_thread::sleep_for(std::chrono::milliseconds(round % 3 == 0 ? 0 : 40));
      writing.kill();
      const std::vector<std::string> lines = writing.lines();
      last = lines.empty() ? "nothing" : lines.back();
      for (const std::string& line : lines) {
        if (line[0] == '!') {
          ADD_FAILURE() << line;
          continue;
        }
        begun.reset();
        if (line[0] == '?') {
          begun = next;
        } else {
          perform(write_of(0, next++), expected);
          ++acknowledged;
        }
      }
    }
    reopen();
    const std::shared_ptr<Collection> books = must(catalog_->get("books"));
    Texts found = stored_texts(*books);
    if (found != expected && begun) perform(write_of(0, next++), expected);
    EXPECT_EQ(found, expected) << "round " << round << ", the writer's last line: " << last;
    EXPECT_THAT(verify(*books), testing::IsEmpty());
    if (is_lmdb()) {
      EXPECT_EQ(files("books").size(), 3U) << "leftovers go with the opening";
    } else {
      // A server notices a little later that who spoke to it is dead.
      for (int i = 0; i < 100 && !database_leftovers().empty(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        reopen();
      }
      EXPECT_THAT(database_leftovers(), testing::IsEmpty());
    }
    if (books->generation() != first) ++switches;
    catalog_.reset();
  }
  EXPECT_GT(acknowledged, 0U);
  std::printf("%d kills, %u writes acknowledged, %d times in a later generation\n", rounds, acknowledged,
              switches);
}

}  // namespace
}  // namespace akin::test
