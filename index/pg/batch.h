// Documents put and removed in one transaction of a PostgreSQL store.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/document_writer.h"
#include "index/pg/connection.h"
#include "index/pg/schema.h"

namespace akin::pg {

/// Holds the store's row locked from begin to finish: batches of all processes follow one another, so that
/// revisions ascend as transactions commit. Changes are gathered and written at the end.
class Batch {
 public:
  /// Begins the transaction, and reads what is there of the documents that will be spoken of.
  [[nodiscard]] static Result<Batch> begin(Connection& connection, StoreNumber store,
                                           std::span<const std::string_view> ids);

  /// The document must live until finish. Error: invalid_argument (a kept revision that another has).
  [[nodiscard]] Result<PutResult> put(const PreparedDocument& document);
  [[nodiscard]] Result<std::vector<PutResult>> put(std::span<const PreparedDocument> documents);
  /// Whether it was there.
  [[nodiscard]] Result<bool> remove(std::string_view id);
  [[nodiscard]] bool contains(std::string_view id) const { return known_.contains(std::string(id)); }
  /// Error: precondition_failed.
  [[nodiscard]] Result<void> require(std::string_view id, const Precondition& condition) const;
  void continue_after(std::uint64_t revision) noexcept;

  /// Writes everything and commits.
  [[nodiscard]] Result<void> finish();

 private:
  /// A document that is there, before or by this batch.
  struct Known {
    std::int64_t number = 0;
    std::uint64_t revision = 0;
    const PreparedDocument* of_batch = nullptr;  ///< null: it was there before
    std::string record;                          ///< of the batch, with its revision
  };
  /// What a document leaves behind in the tables when it goes.
  struct Stored {
    std::vector<FeatureCount> counts;
    bool damaged = false;  ///< its postings are looked for by its number
    std::int64_t features = 0, text_bytes = 0, text_stored_bytes = 0;
  };

  Batch(Connection& connection, StoreNumber store) noexcept : connection_(connection), store_(store) {}
  [[nodiscard]] Result<std::uint64_t> new_revision(const PreparedDocument& document);
  void withdraw(const Known& known);
  [[nodiscard]] Result<void> erase_gone();
  [[nodiscard]] Result<void> insert_documents();
  [[nodiscard]] Result<void> insert_postings();

  Connection& connection_;
  StoreNumber store_;
  StoreCounters counters_;
  std::map<std::string, Known, std::less<>> known_;
  std::map<std::int64_t, Stored> stored_;  ///< what was there before, by number
  std::vector<std::int64_t> gone_;         ///< of those, the ones that go
};

}  // namespace akin::pg
