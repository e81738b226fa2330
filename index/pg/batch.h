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
#include "index/pg/content.h"
#include "index/pg/schema.h"

namespace akin::pg {

/// What a batch is about.
struct BatchSubject {
  StoreNumber store{};
  /// Documents that may be put; their content is written, or is by `before` below. Must live until finish.
  std::span<const NumberedDocument> documents;
  std::vector<std::string_view> ids;  ///< that may be put, removed or asked about
  bool announced = false;             ///< the documents' numbers are among those being written
};

/// From begin to finish it holds the store's row locked: batches of all processes follow one another, so that
/// revisions ascend as transactions commit. Changes are gathered and written at the end.
class Batch {
 public:
  /// Locks, and reads what is there of the documents that will be spoken of. `before`: statements that begin
  /// the transaction, and what is to be done in it first. Error: busy (the documents' content was given up:
  /// writing it took too long).
  [[nodiscard]] static Result<Batch> begin(Connection& connection, const BatchSubject& subject,
                                           std::vector<Statement> before);
  /// The same without a lock: what changes would do by now. It cannot be finished, nor need it be abandoned.
  [[nodiscard]] static Result<Batch> rehearse(Connection& connection, const BatchSubject& subject);

  /// One of the subject's. Error: invalid_argument (a kept revision that another has).
  [[nodiscard]] Result<PutResult> put(const PreparedDocument& document);
  /// Whether it was there.
  [[nodiscard]] Result<bool> remove(std::string_view id);
  /// Error: precondition_failed.
  [[nodiscard]] Result<void> require(std::string_view id, const Precondition& condition) const;
  void continue_after(std::uint64_t revision) noexcept;

  [[nodiscard]] std::uint64_t documents() const noexcept {
    return static_cast<std::uint64_t>(counters_.documents);
  }

  // One of these ends a batch that was begun, and nothing may follow.
  /// Writes everything and commits; how many numbers were left with content that is to be erased.
  [[nodiscard]] Result<std::size_t> finish();
  /// Leaves the transaction to be rolled back.
  void abandon() noexcept { must_end_.end(); }

 private:
  /// A document that is there, before or by this batch.
  struct Known {
    std::int64_t number = 0;
    std::uint64_t revision = 0;
    std::int64_t features = 0, postings = 0, text_bytes = 0, stored_bytes = 0;
    std::string record = {};  ///< of the batch, with its revision; empty if it was there before
  };

  Batch(Connection& connection, const BatchSubject& subject);
  [[nodiscard]] Statement select_known() const;
  void take_known(const Rows& rows);
  [[nodiscard]] Result<std::uint64_t> new_revision(const PreparedDocument& document);
  void withdraw(const Known& known);

  Connection& connection_;
  StoreNumber store_;
  std::vector<std::string_view> ids_;
  std::unordered_map<const PreparedDocument*, std::int64_t> numbers_;
  StoreCounters counters_;
  std::map<std::string, Known, std::less<>> known_;
  std::map<std::uint64_t, std::string> revisions_;  ///< of those the documents want to keep: whose they are
  std::vector<std::int64_t> removed_;               ///< from the directory
  MustEnd must_end_;
};

}  // namespace akin::pg
