// Postings that are not those of the stored documents, for tests of what finds them.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "index/codec/posting.h"
#include "index/lmdb/tables/tables.h"

namespace akin::test {

/// Stores a run of these postings, which ascend by feature, then by document, and are not empty.
[[nodiscard]] Result<void> add_run(lmdb::WriteTxn& txn, const Tables& tables,
                                   std::span<const Posting> postings);

/// Replaces all runs with one of their postings, changed.
[[nodiscard]] Result<void> change_postings(lmdb::WriteTxn& txn, const Tables& tables,
                                           const std::function<void(std::vector<Posting>&)>& change);

}  // namespace akin::test
