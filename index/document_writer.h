// Documents on their way into the tables: what can be prepared outside of a transaction, and the change
// itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "index/feature_counts.h"
#include "index/store.h"
#include "index/tables.h"

namespace akin {

/// A document as bytes, made before the write lock is taken.
struct PreparedDocument {
  std::string id;
  std::string record, text, sequence;  ///< values of the tables
  std::vector<FeatureCount> counts;
  std::uint64_t text_bytes = 0;
  std::uint64_t features = 0;
};

/// Checks and encodes. Errors: invalid_argument (the id; lengths that contradict each other), too_large.
[[nodiscard]] Result<PreparedDocument> prepare(const NewDocument& document);

/// Puts all documents, in order, into one transaction: records, texts, sequences, postings, counters. Returns
/// how many were there before (or earlier in the list).
[[nodiscard]] Result<std::uint64_t> put_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                                  std::span<const PreparedDocument> documents);

/// Removes documents with all that belongs to them; returns how many were there.
[[nodiscard]] Result<std::uint64_t> remove_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                                     std::span<const std::string> ids);

}  // namespace akin
