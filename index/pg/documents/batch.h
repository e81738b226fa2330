// Changes of a PostgreSQL store's directory in one transaction.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/must_end.h"
#include "index/pg/documents/content.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {

/// The documents that a batch may touch.
struct BatchSubject {
  StoreNumber store{};
  /// Documents that may be put; their content has been written, or `before` below writes it. Must live until
  /// finish.
  std::span<const NumberedDocument> documents;
  std::vector<std::string_view> ids;  ///< ids that may be put, removed or asked about
};

/// From begin to finish it locks the store's row: batches of all processes are serialised, so that revisions
/// ascend in the order of commits. Changes are gathered and written at the end.
class Batch {
 public:
  /// Locks, and reads the directory's rows of the subject's documents. `before`: statements that begin the
  /// transaction and run first in it.
  [[nodiscard]] static Result<Batch> begin(Connection& connection, const BatchSubject& subject,
                                           std::vector<Statement> before);
  /// The same without a lock, to try changes. It cannot be finished, and need not be abandoned.
  [[nodiscard]] static Result<Batch> rehearse(Connection& connection, const BatchSubject& subject);

  /// Puts one of the subject's documents, and sets the revision in its record. Error: invalid_argument (a
  /// kept revision that another document has).
  [[nodiscard]] Result<PutResult> put(PreparedDocument& document);
  /// Returns whether it existed.
  [[nodiscard]] Result<bool> remove(std::string_view id);
  /// Error: precondition_failed.
  [[nodiscard]] Result<void> require(std::string_view id, const Precondition& condition) const;
  void continue_after(Revision revision) noexcept;

  [[nodiscard]] std::uint64_t documents() const noexcept {
    return static_cast<std::uint64_t>(counters_.documents);
  }
  [[nodiscard]] std::uint64_t postings() const noexcept {
    return static_cast<std::uint64_t>(counters_.postings);
  }

  // One of these ends a batch after begin; no call may follow.
  /// Writes everything and commits; returns the count of numbers whose content is now to be erased.
  [[nodiscard]] Result<std::size_t> finish();
  /// Leaves the transaction to be rolled back.
  void abandon() noexcept { must_end_.end(); }

 private:
  /// A document that exists, from before or by this batch.
  struct Known {
    std::int64_t number = 0;
    Revision revision;
    std::int64_t features = 0, postings = 0, text_bytes = 0, stored_bytes = 0;
    FileCounters files = {};
    const PreparedDocument* document = nullptr;  ///< of the batch; null if it existed before
  };

  Batch(Connection& connection, const BatchSubject& subject);
  [[nodiscard]] Statement select_known() const;
  void take_known(const Rows& rows);
  [[nodiscard]] Result<Revision> new_revision(const PreparedDocument& document);
  void withdraw(const Known& known);

  Connection& connection_;
  StoreNumber store_;
  std::vector<std::string_view> ids_;
  std::unordered_map<const PreparedDocument*, std::int64_t> numbers_;
  StoreCounters counters_;
  std::map<std::string, Known, std::less<>> known_;
  std::map<Revision, std::string> revisions_;  ///< kept revisions → ids of their documents
  std::vector<std::int64_t> removed_;          ///< from the directory
  MustEnd must_end_;
};

}  // namespace akin::pg
