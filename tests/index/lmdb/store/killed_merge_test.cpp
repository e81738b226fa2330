// A process killed at any moment while it loads batches and merges at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "index/lmdb/store/store.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/child_process.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::IsEmpty;

/// One write, all or nothing. It follows from its number, so that both processes know it.
struct Step {
  std::vector<std::pair<std::string, Values>> put;
  std::vector<std::string> removed;
};

constexpr std::uint64_t kIds = 150;
constexpr int kBatchDocuments = 50;
constexpr std::uint64_t kBatchValues = 600;
constexpr std::uint64_t kSmallRun = 4096;
static_assert(kBatchDocuments * kBatchValues / 3 > kSmallRun, "a batch makes a run of its own");

Step step_of(std::uint32_t number) {
  RandomValues random(number, 100'000, 0x9e3779b97f4a7c15U);
  const auto id = [&] { return numbered("d", random.below(kIds)); };
  Step step;
  if (number % 4 == 0) {
    for (int i = 0; i < kBatchDocuments; ++i) step.put.emplace_back(id(), random.values(kBatchValues));
  } else if (number % 4 == 3) {
    for (int i = 0; i < 5; ++i) step.removed.push_back(id());
  } else {
    step.put.emplace_back(id(), random.values(100));
  }
  return step;
}

void perform(const Step& step, Documents& documents) {
  for (const auto& [id, values] : step.put) documents[id] = values;
  for (const std::string& id : step.removed) documents.erase(id);
}

void perform(const Step& step, LmdbStore& store) {
  if (!step.removed.empty()) {
    must(store.remove(step.removed));
  } else if (step.put.size() == 1) {
    must(store.put(MadeDocument(step.put[0].first, step.put[0].second).view()));
  } else {
    std::vector<MadeDocument> made;
    for (const auto& [id, values] : step.put) made.emplace_back(id, values);
    std::vector<NewDocument> views;
    for (const MadeDocument& document : made) views.push_back(document.view());
    must(store.put_all(views));
  }
}

/// Writes step after step and merges beside it, for ever. Tells "?n" before step n, "+n" when the store has
/// acknowledged it, and "!why" when something was refused.
int write_and_merge(const ChildSide& parent, const std::filesystem::path& path, bool durable,
                    std::uint32_t first_step) {
  LmdbStoreOptions options;
  options.lmdb.durable = durable;
  options.lmdb.map_bytes = std::size_t{1} << 20;
  options.merge_step_bytes = std::size_t{16} << 10;
  options.small_run_postings = kSmallRun;
  const std::shared_ptr<LmdbStore> store = must(LmdbStore::open(path, options));
  const std::jthread merging([&] {
    for (std::uint32_t i = 0;; ++i) {
      const Result<void> merged = store->flush_and_merge(i % 2 == 0);
      if (merged.has_error()) parent.tell("!" + merged.error().message());
    }
  });
  for (std::uint32_t number = first_step;; ++number) {
    parent.tell("?" + std::to_string(number));
    try {
      perform(step_of(number), *store);
    } catch (const std::exception& failure) {
      parent.tell(std::string("!") + failure.what());
    }
    parent.tell("+" + std::to_string(number));
  }
}

/// What a killed child has reported.
struct Told {
  std::vector<std::uint32_t> acknowledged;
  std::optional<std::uint32_t> begun;  ///< and not acknowledged
};

Told read_rest(ChildProcess& child, const std::string& first_line) {
  Told told;
  std::vector<std::string> lines = child.lines();
  lines.insert(lines.begin(), first_line);
  for (const std::string& line : lines) {
    if (line[0] == '!') {
      ADD_FAILURE() << line.substr(1);
      continue;
    }
    const auto number = static_cast<std::uint32_t>(std::stoul(line.substr(1)));
    told.begun.reset();
    if (line[0] == '?') {
      told.begun = number;
    } else {
      told.acknowledged.push_back(number);
    }
  }
  return told;
}

/// How often a process is killed; more often in longer runs than in each.
int kills() {
  const char* wished = std::getenv("AKIN_KILLS");
  return wished != nullptr ? std::atoi(wished) : 5;
}

class KilledMerge : public StoreTest, public testing::WithParamInterface<bool> {
 protected:
  KilledMerge() { close(); }

  Documents stored() {
    Documents documents;
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    for (const DocumentRecord& record : must(view->list("", 10 * kIds))) {
      Values& values = documents[record.id];
      for (const Feature feature : must(view->features(record.id)).hashes)
        values.push_back(static_cast<std::uint64_t>(feature));
    }
    return documents;
  }

  void expect_exact(const Documents& documents, RandomValues& random) {
    EXPECT_THAT(verify(), IsEmpty());
    for (int i = 0; i < 10; ++i) {
      Values query = random.values(100);
      if (!documents.empty()) {
        const auto at = static_cast<std::ptrdiff_t>(random.below(documents.size()));
        const Values& some = std::next(documents.begin(), at)->second;
        query.insert(query.end(), some.begin(), some.end());
      }
      const std::uint64_t bound = random.below(10);
      std::vector<std::string> hits = found(query, bound);
      std::sort(hits.begin(), hits.end());
      EXPECT_EQ(hits, hits_by_definition(documents, query, bound));
    }
  }

  /// Whether a merge had moved some of its postings, and not all.
  bool merge_was_cut_off() {
    bool cut_off = false;
    tamper([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
      const PostingState state = must(read_posting_state(txn, tables));
      cut_off = std::any_of(state.runs.begin(), state.runs.end(),
                            [](const RunInfo& run) { return run.from != Feature{}; });
      return {};
    });
    return cut_off;
  }

  /// How many blocks the listed runs have; others are strays.
  static std::uint64_t blocks_of_runs(const lmdb::Txn& txn, const Tables& tables, const PostingState& state) {
    std::uint64_t blocks = 0;
    lmdb::Cursor cursor = must(txn.cursor(tables.runs));
    for (bool there = must(cursor.first()); there; there = must(cursor.next())) {
      const std::optional<RunKey> key = decode_run_key(cursor.key());
      if (key && std::any_of(state.runs.begin(), state.runs.end(),
                             [&](const RunInfo& run) { return run.id == key->run; })) {
        ++blocks;
      }
    }
    return blocks;
  }

  void expect_merged() {
    must(store_->flush_and_merge(true));
    tamper([](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
      const PostingState state = must(read_posting_state(txn, tables));
      EXPECT_LE(state.runs.size(), 1U);
      EXPECT_EQ(blocks_of_runs(txn, tables, state), must(txn.entries(tables.runs)));
      EXPECT_EQ(must(txn.entries(tables.tombstones)), 0U);
      EXPECT_EQ(must(read_counters(txn, tables)).tombstoned_postings, 0U);
      return {};
    });
  }
};

// Without syncing, what the system has been given survives a killed process too, and other moments are hit.
INSTANTIATE_TEST_SUITE_P(Syncing, KilledMerge, testing::Bool(), [](const testing::TestParamInfo<bool>& row) {
  return std::string(row.param ? "each_commit" : "never");
});

TEST_P(KilledMerge, LeavesExactlyTheWritesThatWereAcknowledged) {
  Documents documents;
  std::uint32_t next_step = 0;
  std::size_t acknowledged = 0;
  int cut_off = 0;
  const int rounds = kills();
  RandomValues random(31, 100'000, 0x9e3779b97f4a7c15U);
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    Told told;
    {
      ChildProcess child(
          [&](const ChildSide& parent) { return write_and_merge(parent, path_, GetParam(), next_step); });
      const std::string first_line = child.line();
      ASSERT_FALSE(first_line.empty());
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(300'000)));
      child.kill();
      told = read_rest(child, first_line);
    }
    for (const std::uint32_t number : told.acknowledged) perform(step_of(number), documents);
    acknowledged += told.acknowledged.size();
    next_step += static_cast<std::uint32_t>(told.acknowledged.size());
    open();
    cut_off += merge_was_cut_off() ? 1 : 0;
    const Documents found = stored();
    if (found != documents && told.begun) {
      // The last write had begun: it is there as a whole, or not at all.
      perform(step_of(*told.begun), documents);
      ++next_step;
    }
    EXPECT_EQ(found, documents);
    expect_exact(documents, random);
    // Every other time the next child meets what this one has left.
    if (round % 2 == 1 || round + 1 == rounds) {
      expect_merged();
      expect_exact(documents, random);
    }
    close();
  }
  EXPECT_GT(acknowledged, 0U);
  std::printf("%d kills, %d in the midst of a merge; %zu writes acknowledged\n", rounds, cut_off,
              acknowledged);
}

}  // namespace
}  // namespace akin::test
