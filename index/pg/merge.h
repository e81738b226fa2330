// Periodic maintenance of a store, which keeps its searches fast and frees its disk space.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>

#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// A write that takes longer than this finds its numbers erased, and fails.
inline constexpr std::chrono::minutes kMostPending{10};

/// This many tombstoned documents are erased together, or, if that is more, one in this many of all
/// documents: erasing rewrites all packed postings.
inline constexpr std::uint64_t kLeastGone = 512, kDocumentsOfOneGone = 20;

struct MergeOptions {
  /// Erases the content of removed documents, and of writes that began more than ten minutes ago and never
  /// finished; on shards only what no open transaction of the coordinator may still need.
  bool erase = true;
  bool everything = false;  ///< packs all postings into one level
  bool tidy = false;        ///< vacuums; with `everything` also returns the space that is free then
  /// Ends the merge early, after the transaction in progress: a later one continues.
  std::stop_token stop = {};
};

/// Packs recent postings and loads on each server, in transactions of bounded size between which searches and
/// writes continue, and does what else is requested. Only one process at a time does so: if another is at
/// work, the call does nothing, or, with `tidy`, waits for it. A kill at any moment loses nothing.
[[nodiscard]] Result<void> merge_store(Pool& pool, const Parts& parts, StoreNumber store,
                                       const MergeOptions& options);

}  // namespace akin::pg
