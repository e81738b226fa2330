#include "index/lmdb/store/merge.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "base/file_lock.h"
#include "index/codec/encoding.h"
#include "index/lmdb/documents/chunks.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/postings/posting_stream.h"

namespace akin {

namespace {

constexpr std::size_t kRunsOfOneSize = 8;
constexpr std::uint64_t kMergeRatio = 4;
constexpr std::size_t kRunsAtRest = 4;
constexpr std::uint64_t kTombstonedLimit = 100'000;
// LMDB can use what a step has freed two steps later. So a small index is merged in small ones.
constexpr std::uint64_t kLeastSteps = 32;
constexpr std::uint64_t kLeastStepBytes = std::uint64_t{256} << 10U;
constexpr std::uint64_t kBytesOfPosting = 5;  ///< on average

std::size_t step_bytes(const std::vector<RunInfo>& runs, std::size_t most) noexcept {
  std::uint64_t postings = 0;
  for (const RunInfo& run : runs) postings += run.postings;
  return std::min<std::uint64_t>(most, std::max(kLeastStepBytes, postings * kBytesOfPosting / kLeastSteps));
}

/// Runs whose sizes are within a factor of eight are in the same class.
unsigned size_class_of(const RunInfo& run) noexcept {
  return static_cast<unsigned>(std::bit_width(run.postings)) / 3;
}

/// The smallest runs, up to the first size class that is full.
std::vector<RunInfo> full_size_classes(const std::vector<RunInfo>& ascending) {
  std::size_t begin = 0;
  while (begin < ascending.size()) {
    std::size_t end = begin;
    while (end < ascending.size() && size_class_of(ascending[end]) == size_class_of(ascending[begin])) ++end;
    if (end - begin >= kRunsOfOneSize)
      return {ascending.begin(), ascending.begin() + static_cast<std::ptrdiff_t>(end)};
    begin = end;
  }
  return {};
}

/// Whether nobody waits for the merge.
bool is_for_later(MergeEffort effort) noexcept {
  return effort == MergeEffort::background || effort == MergeEffort::at_rest;
}

/// The smallest runs up to the last one that is at most kMergeRatio times as large as all before it.
std::vector<RunInfo> mergeable_runs(const std::vector<RunInfo>& ascending) {
  std::size_t taken = 0;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    if (i > 0 && ascending[i].postings <= kMergeRatio * sum) taken = i + 1;
    sum += ascending[i].postings;
  }
  return {ascending.begin(), ascending.begin() + static_cast<std::ptrdiff_t>(taken)};
}

class Merge {
 public:
  Merge(OpenStore& store, const std::atomic<bool>& stop) noexcept : store_(store), stop_(stop) {}

  Result<bool> run(MergeEffort effort) {
    AKIN_CHECK(store_.env.write([&](lmdb::WriteTxn& txn) { return begin(txn, effort); }));
    if (plan_.empty()) return false;
    AKIN_CHECK(repack());
    if (plan_.runs.empty()) return true;
    for (bool more = true; more && !stop_;) {
      AKIN_TRY(more, merge_some());
    }
    return true;
  }

 private:
  /// Chooses runs, none of which is recent from here on.
  Result<void> begin(lmdb::WriteTxn& txn, MergeEffort effort) {
    AKIN_TRY(PostingState state, read_posting_state(txn, store_.tables));
    AKIN_TRY(const Counters counters, read_counters(txn, store_.tables));
    AKIN_TRY(tombstones_, Tombstones::read(txn, store_.tables));
    plan_ = plan_merge(state, counters, effort);
    if (plan_.empty()) return {};
    state.recent_from = DocNumber{static_cast<std::uint32_t>(counters.next_document)};
    if (!plan_.runs.empty()) writer_.emplace(state.next_run++, sink());
    step_bytes_ = step_bytes(plan_.runs, store_.merge_step_bytes);
    packed_to_ = state.recent_from;
    packed_ = state.packed_to >= packed_to_;
    return write_posting_state(txn, store_.tables, state);
  }

  /// Moves the next step_bytes_ from the old runs to the new one: afterwards the old ones begin where it
  /// ends. So little extra disk space is needed, and a merge that is interrupted leaves a sound index. False
  /// at the end.
  Result<bool> merge_some() {
    std::vector<std::uint64_t> taken;
    bool more = false;
    blocks_.clear();
    bytes_ = 0;
    {
      AKIN_TRY(const lmdb::ReadTxn txn, store_.env.read());
      AKIN_TRY(PostingStream stream, PostingStream::open(txn, store_.tables, plan_.runs, from_, tombstones_));
      for (;;) {
        AKIN_TRY(more, stream.next());
        if (!more) break;
        AKIN_CHECK(writer_->add(stream.feature(), stream.documents(), stream.counts()));
        if (bytes_ < step_bytes_) continue;
        const auto last = static_cast<std::uint64_t>(stream.feature());
        more = last != ~std::uint64_t{0};
        from_ = Feature{last + 1};
        break;
      }
      taken.assign(stream.taken().begin(), stream.taken().end());
    }
    AKIN_CHECK(writer_->flush());
    AKIN_CHECK(store_.env.write([&](lmdb::WriteTxn& txn) { return publish(txn, taken, !more); }));
    return more;
  }

  Result<void> publish(lmdb::WriteTxn& txn, const std::vector<std::uint64_t>& taken, bool last) {
    AKIN_TRY(PostingState state, read_posting_state(txn, store_.tables));
    AKIN_CHECK(append_blocks(txn));
    for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
      const std::uint32_t id = plan_.runs[i].id;
      const auto run = std::find_if(state.runs.begin(), state.runs.end(),
                                    [&](const RunInfo& one) { return one.id == id; });
      if (run == state.runs.end())
        return corrupt("meta 'postings'", "a run that is being merged is not listed");
      if (last) {
        state.runs.erase(run);
        AKIN_CHECK(erase_run(txn, store_.tables, id));
      } else {
        run->postings -= taken[i];
        // A run that an interrupted merge has emptied further still begins there.
        run->from = std::max(run->from, from_);
        AKIN_CHECK(erase_blocks_below(txn, store_.tables, id, from_));
      }
    }
    const RunInfo& made = writer_->info();
    std::erase_if(state.runs, [&](const RunInfo& run) { return run.id == made.id; });
    if (made.postings > 0) {
      const auto behind = std::find_if(state.runs.begin(), state.runs.end(),
                                       [&](const RunInfo& run) { return run.id > made.id; });
      state.runs.insert(behind, made);
    }
    if (last) AKIN_CHECK(forget_tombstones(txn, state, made.id));
    return write_posting_state(txn, store_.tables, state);
  }

  /// Drops the tombstones of documents that no other run can list.
  Result<void> forget_tombstones(lmdb::WriteTxn& txn, const PostingState& state, std::uint32_t made) {
    if (tombstones_.empty()) return {};
    AKIN_TRY(Counters counters, read_counters(txn, store_.tables));
    for (DocNumber number : tombstones_.numbers()) {
      const bool elsewhere = std::any_of(state.runs.begin(), state.runs.end(), [&](const RunInfo& run) {
        return run.id != made && run.first_document <= number && number <= run.last_document;
      });
      if (elsewhere) continue;
      const std::string key = document_key(number);
      AKIN_TRY(const std::optional<std::string_view> postings, txn.get(store_.tables.tombstones, key));
      if (!postings || postings->size() != 4) continue;
      counters.tombstoned_postings -= load_u32(postings->data());
      AKIN_CHECK(txn.erase(store_.tables.tombstones, key));
    }
    return txn.put(store_.tables.meta, format::kCountersEntry, encode_counters(counters));
  }

  /// Packs the sequences of documents that were put one at a time more densely.
  Result<void> repack() {
    for (bool done = packed_; !done && !stop_;) {
      AKIN_CHECK(store_.env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
        AKIN_TRY(PostingState state, read_posting_state(txn, store_.tables));
        AKIN_TRY(state.packed_to, repack_parts(txn, sequences_of(store_.tables), state.packed_to, packed_to_,
                                               store_.merge_step_bytes));
        done = state.packed_to >= packed_to_;
        return write_posting_state(txn, store_.tables, state);
      }));
    }
    return {};
  }

  RunWriter::Sink sink() {
    return [this](std::string_view key, std::string_view block) -> Result<void> {
      blocks_.emplace_back(key, block);
      bytes_ += block.size();
      return {};
    };
  }

  Result<void> append_blocks(lmdb::WriteTxn& txn) const {
    for (const auto& [key, block] : blocks_) AKIN_CHECK(append_block(txn, store_.tables, key, block));
    return {};
  }

  OpenStore& store_;
  const std::atomic<bool>& stop_;
  MergePlan plan_;
  Tombstones tombstones_;
  std::optional<RunWriter> writer_;
  Feature from_{};                                           ///< lists of smaller features have been moved
  std::vector<std::pair<std::string, std::string>> blocks_;  ///< key, bytes: not written yet
  std::size_t bytes_ = 0;
  std::size_t step_bytes_ = 0;
  DocNumber packed_to_{};  ///< the sequences of documents below this are to be packed
  bool packed_ = false;    ///< they are
};

}  // namespace

MergePlan plan_merge(const PostingState& state, const Counters& counters, MergeEffort effort) {
  MergePlan plan;
  std::vector<RunInfo> ascending = state.runs;
  std::sort(ascending.begin(), ascending.end(), [](const RunInfo& left, const RunInfo& right) {
    return std::pair(left.postings, left.id) < std::pair(right.postings, right.id);
  });
  const std::uint64_t tombstoned = counters.tombstoned_postings;
  if (effort == MergeEffort::background && tombstoned > kTombstonedLimit &&
      tombstoned > counters.postings / 3)
    effort = MergeEffort::everything;
  plan.flush_recent = !is_for_later(effort) && recent_postings(state) > 0;
  switch (effort) {
    case MergeEffort::background:
      plan.runs = full_size_classes(ascending);
      break;
    case MergeEffort::at_rest:
      if (ascending.size() > kRunsAtRest) plan.runs = mergeable_runs(ascending);
      break;
    case MergeEffort::flush_and_merge:
      plan.runs = mergeable_runs(ascending);
      break;
    case MergeEffort::everything:
      if (ascending.size() > 1 || (tombstoned > 0 && !ascending.empty())) plan.runs = std::move(ascending);
      break;
  }
  return plan;
}

Result<bool> merge_once(OpenStore& store, MergeEffort effort, std::chrono::milliseconds patience,
                        const std::atomic<bool>& stop) {
  const Result<FileLock> lock =
      FileLock::exclusive(store.folder / format::kMergeLock, patience, "another merge");
  if (lock.has_error()) {
    // The other one merges the same.
    if (is_for_later(effort) && lock.error().code == Errc::busy) return false;
    // Nobody opens this store any more.
    if (lock.error().code == Errc::not_found && is_replaced(store)) return false;
    return lock.error();
  }
  store.merging = true;
  const auto ended = [](std::atomic<bool>* merging) { *merging = false; };
  const std::unique_ptr<std::atomic<bool>, decltype(ended)> at_work(&store.merging, ended);
  return Merge(store, stop).run(effort);
}

}  // namespace akin
