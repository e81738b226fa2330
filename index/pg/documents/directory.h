// Reads a store's directory, which says which documents exist, in an open transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "index/overlap/overlap_sums.h"
#include "index/pg/client/connection.h"
#include "index/pg/tables/names.h"
#include "index/store/store.h"

namespace akin::pg {

/// A document, and how long its text is.
struct TextOf {
  std::int64_t number = 0;
  std::uint64_t text_bytes = 0;
};

/// One thread.
class Directory {
 public:
  /// `connection`: must outlive this.
  Directory(Connection& connection, StoreNumber store) noexcept : connection_(connection), store_(store) {}

  /// Runs a statement about the store's tables (of_store).
  [[nodiscard]] Result<Rows> run(const std::string& sql, const Params& params = {}) const {
    return connection_.run(of_store(sql, store_), params);
  }
  [[nodiscard]] Result<std::optional<StoredDocument>> find(std::string_view id) const;
  /// A document and some that follow it in the last answer of `list`, if the call before was for the document
  /// in front of it: somebody seems to read all that was listed.
  [[nodiscard]] std::vector<TextOf> next_listed(std::string_view id) const;
  /// Snapshot::list, changes.
  [[nodiscard]] Result<std::vector<StoredDocument>> list(std::string_view after, std::size_t limit) const;
  [[nodiscard]] Result<std::vector<StoredDocument>> changes(Revision after, std::size_t limit) const;

  /// The record of a document that a posting names. Error also: corrupt.
  [[nodiscard]] Result<DocumentRecord> record(DocNumber number) const;

  /// Calls visit(candidate, record) for each, in pages.
  using RecordVisitor = std::function<Result<void>(const Candidate&, DocumentRecord)>;
  [[nodiscard]] Result<void> for_each_record(std::span<const Candidate> candidates,
                                             const RecordVisitor& visit) const;
  /// Those of some document numbers in postings, ascending, that do not exist, ascending.
  [[nodiscard]] Result<std::vector<std::int64_t>> missing_of(const std::vector<std::int64_t>& numbers) const;
  /// Drops candidates that do not exist, and those that the request excludes or does not accept.
  [[nodiscard]] Result<void> leave_out(const SearchRequest& request,
                                       std::vector<Candidate>& candidates) const;

 private:
  struct Listed {
    std::string id;
    TextOf document;
    std::uint64_t features = 0;
  };
  [[nodiscard]] Statement select_missing(const std::vector<std::int64_t>& numbers) const;
  /// Asks which of `numbers` do not exist, and for the records of others among them: rows of doc and record,
  /// null for what does not exist.
  [[nodiscard]] Statement select_existing(const std::vector<std::int64_t>& numbers,
                                          const std::vector<std::int64_t>& with_records) const;
  [[nodiscard]] Statement select_records(const std::vector<std::int64_t>& numbers) const;
  [[nodiscard]] Result<void> read_records(std::span<const Candidate> candidates,
                                          const RecordVisitor& visit) const;

  Connection& connection_;
  StoreNumber store_;
  mutable std::unordered_map<std::int64_t, std::string> ahead_;  ///< records of likely pages, by number
  mutable std::unordered_set<std::int64_t> existing_;            ///< some numbers that do exist
  mutable std::vector<Listed> listed_;                           ///< ids ascending
  mutable std::size_t expected_ = 0;                             ///< in listed_: the next to be asked for
};

}  // namespace akin::pg
