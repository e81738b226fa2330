// Compaction of recent postings on one server.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/pg/segments.h"

namespace akin::pg {

/// A server's postings of a store.
struct PostingSizes {
  std::uint64_t rows = 0;                ///< postings in rows of their own
  std::map<int, std::uint64_t> compact;  ///< level → postings
};
[[nodiscard]] Result<PostingSizes> read_posting_sizes(Connection& connection, StoreNumber store);

struct CompactionPlan {
  int level = 0;            ///< of the new rows
  std::vector<int> merged;  ///< levels whose rows are rewritten together with the recent postings
  std::int64_t frequent =
      kFrequentDocuments;  ///< features with at least this many documents keep rows of their own
};

/// Plans a compaction: it merges levels that are less than four times as large as all smaller ones together,
/// and those that loads have filled beyond their size, or all levels; nothing (level 0) if there is little to
/// do.
[[nodiscard]] CompactionPlan plan_compaction(const PostingSizes& sizes, bool everything);

/// Makes the compaction in the connection's transaction; searches see the postings before it or after it.
/// Postings of `gone` documents are left out.
[[nodiscard]] Result<void> compact_postings(Connection& connection, StoreNumber store,
                                            const CompactionPlan& compaction,
                                            std::span<const std::int64_t> gone);

}  // namespace akin::pg
