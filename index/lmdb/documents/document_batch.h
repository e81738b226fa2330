// Puts documents into the tables and removes them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/must_end.h"
#include "index/codec/document_chunk.h"
#include "index/codec/posting.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"
#include "index/write/prepared_document.h"

namespace akin {

/// Puts and removes documents in one transaction: records and texts immediately, sequences, postings and
/// counters together at the end.
class DocumentBatch {
 public:
  /// Error: corrupt. The transaction must outlive the batch.
  [[nodiscard]] static Result<DocumentBatch> begin(lmdb::WriteTxn& txn, const Tables& tables);

  /// Puts a document, and sets the revision in its record; the result says whether it replaced a stored one
  /// or an earlier one of the batch. It must live until `finish`. Error: invalid_argument (a kept revision
  /// that another document has).
  [[nodiscard]] Result<PutResult> put(PreparedDocument& document);

  /// Error: precondition_failed, if the condition does not hold for an id.
  [[nodiscard]] Result<void> require(std::string_view id, const Precondition& condition) const;

  /// Removes a document and everything that belongs to it except its postings, which a merge drops; returns
  /// whether it existed. A damaged document can be removed too; the counters may then be wrong until a
  /// reindex.
  [[nodiscard]] Result<bool> remove(std::string_view id);

  /// As Store::continue_after.
  void continue_after(Revision revision) noexcept;

  // One of these ends the batch; no call may follow.
  /// Writes everything that is still pending.
  [[nodiscard]] Result<void> finish();
  /// For a transaction that will not be committed.
  void abandon() noexcept { must_end_.end(); }

  /// Runs of postings, once finished.
  [[nodiscard]] std::size_t runs() const noexcept { return state_.runs.size(); }

 private:
  DocumentBatch(lmdb::WriteTxn& txn, const Tables& tables) noexcept : txn_(txn), tables_(tables) {}
  [[nodiscard]] Result<void> erase_revisions_of(DocNumber number);
  [[nodiscard]] std::uint64_t pending_text_bytes(DocNumber number) const;
  [[nodiscard]] Result<void> add_tombstone(DocNumber number);
  [[nodiscard]] Result<DocNumber> new_number();
  [[nodiscard]] Result<Revision> new_revision(const PreparedDocument& document);
  [[nodiscard]] Result<std::vector<Posting>> take_recent_runs();
  [[nodiscard]] Result<void> write_postings();
  [[nodiscard]] Result<void> write_run(std::span<const Posting> postings);

  lmdb::WriteTxn& txn_;
  const Tables& tables_;
  Counters before_, counters_;
  PostingState state_;
  std::uint64_t first_ = 0;  ///< documents from this number on belong to this batch
  DocumentChunk::Parts texts_, sequences_;
  std::vector<std::pair<DocNumber, std::span<const FeatureCount>>> counts_;
  std::size_t postings_ = 0;  ///< as many as counts_ has
  bool log_is_on_ = false;
  std::vector<DocNumber> erased_;                ///< removed ones of batches before
  std::vector<std::string> changed_;             ///< ids, if the change log needs them
  std::unordered_set<std::uint32_t> withdrawn_;  ///< numbers that this batch put and removed again
  MustEnd must_end_;
};

}  // namespace akin
