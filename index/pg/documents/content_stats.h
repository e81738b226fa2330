// The size of a store's tables, and what a merge would do there.
#pragma once

#include "index/pg/client/connection.h"
#include "index/pg/tables/names.h"
#include "index/store/store.h"

namespace akin::pg {

/// Fills disk_bytes, runs (the packed rows that the look-up of one feature reads) and recent_postings (those
/// that a merge would compact).
[[nodiscard]] Result<void> add_content_stats(Connection& connection, StoreNumber store, StoreStats& stats);

}  // namespace akin::pg
