// Periodic maintenance of a store, which keeps its searches fast and frees its disk space.
#pragma once

#include <cstdint>
#include <stop_token>

#include "index/pg/client/pool.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// This many tombstoned documents are erased together, or, if that is more, one in this many of all
/// documents: erasing rewrites all packed postings.
inline constexpr std::uint64_t kLeastGone = 512, kDocumentsOfOneGone = 20;

struct MergeOptions {
  bool erase = true;        ///< erases the content of removed documents
  bool everything = false;  ///< packs all postings into one level
  /// Leaves few rows to a look-up, and vacuums; with `everything` also returns the space that is free then.
  bool tidy = false;
  /// Ends the merge early, after the transaction in progress: a later one continues.
  std::stop_token stop = {};
};

/// Packs recent postings and loads, in transactions of bounded size between which searches and
/// writes continue, and does what else is requested. Only one process at a time does so: if another is at
/// work, the call does nothing, or, with `tidy`, waits for it. A kill at any moment loses nothing.
[[nodiscard]] Result<void> merge_store(Pool& pool, StoreNumber store, const MergeOptions& options);

}  // namespace akin::pg
