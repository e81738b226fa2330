#include "index/merge.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "index/encoding.h"
#include "index/files.h"
#include "index/format.h"
#include "index/posting_stream.h"
#include "index/sequences.h"

namespace akin {

namespace {

constexpr std::uint64_t kRecentLimit = 1'000'000;
constexpr std::size_t kRunsOfOneSize = 8;
constexpr std::uint64_t kSettleRatio = 4;
constexpr std::uint64_t kDeadLimit = 100'000;

/// One write transaction of a merge: as long as other writers wait for it.
constexpr std::size_t kWriteBytes = std::size_t{16} << 20;
constexpr std::size_t kErasedBlocks = 16'384;

/// Runs within a factor of eight have one tier.
unsigned tier_of(const RunInfo& run) noexcept {
  return static_cast<unsigned>(std::bit_width(run.postings)) / 3;
}

/// The smallest runs, as many as fill the first tier that is full.
std::vector<RunInfo> full_tiers(const std::vector<RunInfo>& ascending) {
  std::size_t begin = 0;
  while (begin < ascending.size()) {
    std::size_t end = begin;
    while (end < ascending.size() && tier_of(ascending[end]) == tier_of(ascending[begin])) ++end;
    if (end - begin >= kRunsOfOneSize)
      return {ascending.begin(), ascending.begin() + static_cast<std::ptrdiff_t>(end)};
    begin = end;
  }
  return {};
}

/// The smallest runs up to one that is larger than kSettleRatio times all before it.
std::vector<RunInfo> unsettled(const std::vector<RunInfo>& ascending, std::uint64_t recent) {
  std::vector<RunInfo> runs;
  std::uint64_t sum = recent;
  for (const RunInfo& run : ascending) {
    if (!runs.empty() && run.postings > kSettleRatio * sum) break;
    if (runs.empty() && recent > 0 && run.postings > kSettleRatio * sum) break;
    runs.push_back(run);
    sum += run.postings;
  }
  if (runs.size() == 1 && recent == 0) runs.clear();
  return runs;
}

class Merge {
 public:
  Merge(OpenStore& store, const std::atomic<bool>& stop) noexcept : store_(store), stop_(stop) {}

  Result<bool> run(MergeEffort effort) {
    AKIN_CHECK(erase_strays());
    AKIN_CHECK(store_.env.write([&](lmdb::WriteTxn& txn) { return begin(txn, effort); }));
    if (plan_.empty()) return false;
    AKIN_TRY(const bool complete, write_run());
    if (!complete) return false;
    AKIN_CHECK(store_.env.write([&](lmdb::WriteTxn& txn) { return publish(txn); }));
    for (const RunInfo& run : plan_.runs) AKIN_CHECK(erase_blocks(run.id));
    if (plan_.recent) AKIN_CHECK(repack());
    return true;
  }

 private:
  using Blocks = std::vector<std::pair<std::string, std::string>>;  ///< key, bytes

  /// Blocks of runs that no state lists: of a merge that was cut off.
  Result<void> erase_strays() {
    std::vector<std::uint32_t> strays;
    {
      AKIN_TRY(const lmdb::ReadTxn txn, store_.env.read());
      AKIN_TRY(const PostingState state, read_posting_state(txn, store_.tables));
      AKIN_TRY(strays, runs_with_blocks(txn, store_.tables));
      std::erase_if(strays, [&](std::uint32_t id) {
        return std::any_of(state.runs.begin(), state.runs.end(),
                           [&](const RunInfo& run) { return run.id == id; });
      });
    }
    for (std::uint32_t run : strays) AKIN_CHECK(erase_blocks(run));
    return {};
  }

  Result<void> erase_blocks(std::uint32_t run) {
    for (std::size_t erased = kErasedBlocks; erased == kErasedBlocks && !stop_;) {
      AKIN_CHECK(store_.env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
        AKIN_TRY(erased, erase_run_blocks(txn, store_.tables, run, kErasedBlocks));
        return {};
      }));
    }
    return {};
  }

  /// Chooses, gives the new run its number, and lets new postings go to the other recent table.
  Result<void> begin(lmdb::WriteTxn& txn, MergeEffort effort) {
    AKIN_TRY(PostingState state, read_posting_state(txn, store_.tables));
    AKIN_TRY(const Counters counters, read_counters(txn, store_.tables));
    plan_ = plan_merge(state, counters, effort);
    if (plan_.empty()) return {};
    AKIN_TRY(dead_, DeadDocuments::read(txn, store_.tables));
    run_ = state.next_run++;
    if (plan_.recent && !state.frozen) {
      state.frozen = true;
      state.active = state.active == 0 ? 1 : 0;
      state.active_from = DocNumber{static_cast<std::uint32_t>(counters.next_document)};
      state.frozen_recent = std::exchange(state.recent, 0);
    }
    frozen_ = store_.tables.recent[state.active == 0 ? 1 : 0];
    return write_posting_state(txn, store_.tables, state);
  }

  /// Packs the new run, a transaction for each kWriteBytes; false if stopped. What is merged does not change
  /// meanwhile, so that no transaction need stay open for long.
  Result<bool> write_run() {
    Blocks blocks;
    std::size_t bytes = 0;
    RunWriter writer(run_, [&](std::string_view key, std::string_view block) -> Result<void> {
      blocks.emplace_back(key, block);
      bytes += block.size();
      return {};
    });
    PostingSources sources;
    for (const RunInfo& run : plan_.runs) sources.runs.push_back(run.id);
    if (plan_.recent) sources.recent = {frozen_};
    for (bool more = true; more;) {
      {
        AKIN_TRY(const lmdb::ReadTxn txn, store_.env.read());
        AKIN_TRY(PostingStream stream, PostingStream::open(txn, store_.tables, sources, dead_));
        for (;;) {
          if (stop_) return false;
          AKIN_TRY(more, stream.next());
          if (!more) break;
          AKIN_CHECK(writer.add(stream.feature(), stream.documents(), stream.counts()));
          if (bytes < kWriteBytes) continue;
          const auto last = static_cast<std::uint64_t>(stream.feature());
          more = last != ~std::uint64_t{0};
          sources.from = Feature{last + 1};
          break;
        }
      }
      if (!more) AKIN_CHECK(writer.flush());
      AKIN_CHECK(
          store_.env.write([&](lmdb::WriteTxn& txn) -> Result<void> { return append_blocks(txn, blocks); }));
      blocks.clear();
      bytes = 0;
    }
    info_ = writer.info();
    return true;
  }

  Result<void> append_blocks(lmdb::WriteTxn& txn, const Blocks& blocks) const {
    for (const auto& [key, block] : blocks) AKIN_CHECK(txn.append(store_.tables.runs, key, block));
    return {};
  }

  /// Puts the new run in the place of what it was made from.
  Result<void> publish(lmdb::WriteTxn& txn) {
    AKIN_TRY(PostingState state, read_posting_state(txn, store_.tables));
    AKIN_TRY(Counters counters, read_counters(txn, store_.tables));
    std::erase_if(state.runs, [&](const RunInfo& run) {
      return std::any_of(plan_.runs.begin(), plan_.runs.end(),
                         [&](const RunInfo& old) { return old.id == run.id; });
    });
    if (plan_.recent) {
      AKIN_CHECK(txn.clear(frozen_));
      state.frozen = false;
      state.frozen_recent = 0;
    }
    // The dead that no other run and no recent table can list are gone for good.
    for (DocNumber number : dead_.numbers()) {
      const bool elsewhere = std::any_of(state.runs.begin(), state.runs.end(), [&](const RunInfo& run) {
        return run.first_document <= number && number <= run.last_document;
      });
      const bool recent = state.frozen || (number >= state.active_from && state.recent > 0);
      if (elsewhere || recent) continue;
      const std::string key = document_key(number);
      AKIN_TRY(const std::optional<std::string_view> postings, txn.get(store_.tables.dead, key));
      if (!postings || postings->size() != 4) continue;
      counters.dead_postings -= load_u32(postings->data());
      AKIN_CHECK(txn.erase(store_.tables.dead, key));
    }
    if (info_.postings > 0) {
      state.runs.push_back(info_);
      std::sort(state.runs.begin(), state.runs.end(),
                [](const RunInfo& left, const RunInfo& right) { return left.id < right.id; });
    }
    repack_to_ = state.active_from;
    AKIN_CHECK(write_posting_state(txn, store_.tables, state));
    return txn.put(store_.tables.meta, format::kCountersEntry, encode_counters(counters));
  }

  /// Packs the sequences of the documents put singly closer.
  Result<void> repack() {
    for (;;) {
      bool done = false;
      AKIN_CHECK(store_.env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
        AKIN_TRY(PostingState state, read_posting_state(txn, store_.tables));
        AKIN_TRY(state.packed_to,
                 repack_sequences(txn, store_.tables, state.packed_to, repack_to_, kWriteBytes));
        done = state.packed_to >= repack_to_;
        return write_posting_state(txn, store_.tables, state);
      }));
      if (done || stop_) return {};
    }
  }

  OpenStore& store_;
  const std::atomic<bool>& stop_;
  MergePlan plan_;
  DeadDocuments dead_;
  std::uint32_t run_ = 0;
  lmdb::Table frozen_;
  RunInfo info_;
  DocNumber repack_to_{};
};

}  // namespace

MergePlan plan_merge(const PostingState& state, const Counters& counters, MergeEffort effort) {
  MergePlan plan;
  std::vector<RunInfo> ascending = state.runs;
  std::sort(ascending.begin(), ascending.end(), [](const RunInfo& left, const RunInfo& right) {
    return std::pair(left.postings, left.id) < std::pair(right.postings, right.id);
  });
  const std::uint64_t recent = state.recent + state.frozen_recent;
  const std::uint64_t dead = counters.dead_postings;
  if (effort == MergeEffort::background && dead > kDeadLimit && dead > counters.postings / 3)
    effort = MergeEffort::everything;
  switch (effort) {
    case MergeEffort::background:
      plan.recent = state.frozen || state.recent >= kRecentLimit;
      plan.runs = full_tiers(ascending);
      break;
    case MergeEffort::settle:
      plan.recent = state.frozen || recent > 0;
      plan.runs = unsettled(ascending, recent);
      break;
    case MergeEffort::everything:
      plan.recent = state.frozen || recent > 0;
      if (plan.recent || ascending.size() > 1 || dead > 0) plan.runs = std::move(ascending);
      break;
  }
  return plan;
}

Result<bool> merge_once(OpenStore& store, MergeEffort effort, std::chrono::milliseconds patience,
                        const std::atomic<bool>& stop) {
  AKIN_TRY(const FolderLock lock,
           FolderLock::exclusive(store.folder / format::kMergeLock, patience, "another merge"));
  return Merge(store, stop).run(effort);
}

}  // namespace akin
