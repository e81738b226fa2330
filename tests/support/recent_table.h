// The table of recent postings, as earlier versions filled it.
#pragma once

#include <span>

#include "index/lmdb/lmdb.h"
#include "index/lmdb/tables.h"
#include "index/posting.h"

namespace akin::test {

/// Adds postings, and counts them in the state.
[[nodiscard]] Result<void> add_to_recent_table(lmdb::WriteTxn& txn, const Tables& tables,
                                               std::span<const Posting> postings);

/// Moves the postings of all recent runs to the table.
[[nodiscard]] Result<void> move_to_recent_table(lmdb::WriteTxn& txn, const Tables& tables);

}  // namespace akin::test
