// What a store's content takes on its servers, and what a merge would do there.
#pragma once

#include "index/pg/parts.h"
#include "index/store.h"

namespace akin::pg {

/// Fills disk_bytes, runs (the packed rows that the look-up of one feature reads, on the server that reads
/// the most) and recent_postings (those that a merge would compact). `connection`: to the store's own
/// database.
[[nodiscard]] Result<void> add_content_stats(Connection& connection, const Parts& parts, StoreNumber store,
                                             StoreStats& stats);

}  // namespace akin::pg
