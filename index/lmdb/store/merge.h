// Merging runs into larger ones, as log-structured trees do (P. O'Neil et al., "The
// log-structured merge-tree", Acta Informatica 33, 1996): readers continue on their snapshot, and writers
// between the merge's own small transactions.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "index/lmdb/store/open_store.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// How much is merged.
enum class MergeEffort {
  background,       ///< what keeps look-ups and writes cheap: eight runs of about one size, and smaller ones
  at_rest,          ///< as flush_and_merge where searches would notice: more than four runs
  flush_and_merge,  ///< every run that is not much larger than what it is merged with
  everything        ///< into one run without postings of tombstoned documents
};

struct MergePlan {
  bool flush_recent = false;  ///< no run shall be recent any more
  std::vector<RunInfo> runs;  ///< make one of these
  [[nodiscard]] bool empty() const noexcept { return runs.empty() && !flush_recent; }
};

/// The merge that is due; empty if none is.
[[nodiscard]] MergePlan plan_merge(const PostingState& state, const Counters& counters, MergeEffort effort);

/// Makes one merge, if one is due and no other process is merging; returns whether it did. Set `stop` to end
/// it early: then nothing has changed for readers. A store that is_replaced needs none. Waits for a merge of
/// another thread or process for at most `patience`; if it takes longer, a merge in the background or at rest
/// leaves the work to it. Errors: busy (it took longer), corrupt, disk_full.
[[nodiscard]] Result<bool> merge_once(OpenStore& store, MergeEffort effort,
                                      std::chrono::milliseconds patience, const std::atomic<bool>& stop);

}  // namespace akin
