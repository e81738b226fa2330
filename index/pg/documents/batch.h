// Changes of a PostgreSQL store's directory in one transaction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/must_end.h"
#include "index/pg/documents/content.h"
#include "index/pg/tables/schema.h"
#include "index/write/directory_changes.h"

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
class Batch : public DirectoryChanges {
 public:
  /// Locks, and reads the directory's rows of the subject's documents. `before`: statements that begin the
  /// transaction and run first in it.
  [[nodiscard]] static Result<Batch> begin(Connection& connection, const BatchSubject& subject,
                                           std::vector<Statement> before);
  /// The same without a lock, to try changes. It cannot be finished, and need not be abandoned.
  [[nodiscard]] static Result<Batch> rehearse(Connection& connection, const BatchSubject& subject);

  [[nodiscard]] std::uint64_t documents() const noexcept {
    return static_cast<std::uint64_t>(counters().documents);
  }

  // One of these ends a batch after begin; no call may follow.
  /// Writes everything and commits; returns the count of numbers whose content is now to be erased.
  [[nodiscard]] Result<std::size_t> finish();
  /// Leaves the transaction to be rolled back.
  void abandon() noexcept { must_end_.end(); }

 private:
  Batch(Connection& connection, const BatchSubject& subject);
  [[nodiscard]] Statement select_known() const;
  void take_known(const Rows& rows);

  Connection& connection_;
  StoreNumber store_;
  std::vector<std::string_view> ids_;
  MustEnd must_end_;
};

}  // namespace akin::pg
