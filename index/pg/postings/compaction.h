// Compaction of a store's postings, in slices of the features.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "index/pg/client/connection.h"
#include "index/pg/postings/packing.h"
#include "index/pg/tables/document_set.h"
#include "index/pg/tables/names.h"
#include "index/store/store.h"

namespace akin::pg {

/// A store's postings.
struct PostingSizes {
  std::array<std::uint64_t, kBands> rows{};  ///< postings in rows of their own
  LevelSizes levels;
};
[[nodiscard]] Result<PostingSizes> read_posting_sizes(Connection& connection, StoreNumber store);

/// How much a compaction rewrites.
enum class Extent {
  ripe,     ///< recent postings, and levels of which loads have filled each bucket with many rows
  settled,  ///< until the look-up of a feature reads few rows
  everything,
};

struct CompactionPlan {
  BandLevels levels{};           ///< of the new rows
  std::vector<int> merged;       ///< levels whose rows are rewritten together with the recent postings
  bool everything = false;       ///< rewrites full blocks too
  std::uint64_t postings = 0;    ///< about so many are rewritten
  std::vector<KeyRange> slices;  ///< each of one band; none: there is little to do
};

/// Plans a compaction: of recent postings, of levels that are not much larger than all smaller ones of their
/// band together, and of those that loads have filled with several rows for each bucket; or of everything. A
/// level is ripe with eight rows of each bucket, so a load rewrites a posting once while it grows eightfold.
[[nodiscard]] CompactionPlan plan_compaction(const PostingSizes& sizes, Extent extent);

/// The postings that a merge would compact.
[[nodiscard]] std::uint64_t unsettled_postings(const PostingSizes& sizes);
/// The packed rows that the look-up of one feature reads, on average, rounded up in each level, in the band
/// that needs most.
[[nodiscard]] std::uint64_t rows_of_lookup(const PostingSizes& sizes);

/// Compacts one slice of the plan in a transaction of its own: searches see its postings before it or after
/// it. Drops the postings of some documents.
[[nodiscard]] Result<void> compact_slice(Connection& connection, StoreNumber store,
                                         const CompactionPlan& plan, const KeyRange& slice,
                                         const DocumentSet& dropped);

/// Writes what a compaction would make of a slice of `from` into `to`, inside a
/// transaction, with the postings of some documents only. The plan is one of everything.
struct SliceCopy {
  StoreNumber from{}, to{};
};
[[nodiscard]] Result<void> copy_slice(Connection& connection, const SliceCopy& stores,
                                      const CompactionPlan& plan, const KeyRange& slice,
                                      const DocumentSet& kept);

/// Fills disk_bytes, runs (the packed rows that the look-up of one feature reads) and recent_postings (those
/// that a merge would compact).
[[nodiscard]] Result<void> add_content_stats(Connection& connection, StoreNumber store, StoreStats& stats);

}  // namespace akin::pg
