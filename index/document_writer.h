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
  std::string record, text, sequence;  ///< as stored; text is empty where texts are not kept
  std::vector<FeatureCount> counts;
  std::uint64_t text_bytes = 0;
  std::uint64_t features = 0;
};

/// Checks and encodes. Errors: invalid_argument (the id; lengths that contradict each other), too_large.
[[nodiscard]] Result<PreparedDocument> prepare(const NewDocument& document, bool store_text);

/// The same for many, on all cores. The error is that of the first document that has one.
[[nodiscard]] Result<std::vector<PreparedDocument>> prepare_all(std::span<const NewDocument> documents,
                                                                bool store_text);

/// From so many postings on, a batch becomes a run of its own at once.
inline constexpr std::uint64_t kDirectRunPostings = 8192;

/// Puts all documents, in order, into one transaction: records, texts, sequences, postings, counters. Returns
/// how many were there before (or earlier in the list).
[[nodiscard]] Result<std::uint64_t> put_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                                  std::span<const PreparedDocument> documents);

/// Removes documents with all that belongs to them, but for their postings, which a merge leaves out; returns
/// how many were there. What is damaged of a document does not hinder that; the counters may then stay wrong
/// until a reindex.
[[nodiscard]] Result<std::uint64_t> remove_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                                     std::span<const std::string> ids);

}  // namespace akin
