// Reads a store's directory, which says which documents exist, in an open transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/overlap_sums.h"
#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/store.h"

namespace akin::pg {

/// One thread.
class Directory {
 public:
  /// `connection`: must outlive this. `is_local`: whether the content is in the directory's database.
  Directory(Connection& connection, StoreNumber store, bool is_local) noexcept
      : connection_(connection), store_(store), is_local_(is_local) {}

  /// Runs a statement about the store's tables (of_store).
  [[nodiscard]] Result<Rows> run(const std::string& sql, const Params& params = {}) const {
    return connection_.run(of_store(sql, store_), params);
  }
  /// Reads doc and columns of the document with an id.
  [[nodiscard]] Result<Rows> row_of(std::string_view id, const std::string& columns) const;
  [[nodiscard]] Result<std::optional<DocumentRecord>> find(std::string_view id) const;
  /// The numbers of a document and of some that follow it in the last answer of `list`, if the call before
  /// was for the document in front of it: somebody seems to read all that was listed.
  [[nodiscard]] std::vector<std::int64_t> next_listed(std::string_view id) const;
  /// Snapshot::list, changes.
  [[nodiscard]] Result<std::vector<DocumentRecord>> list(std::string_view after, std::size_t limit) const;
  [[nodiscard]] Result<std::vector<DocumentRecord>> changes(Revision after, std::size_t limit) const;

  /// The id of a document that a posting names, remembered for recently read ones. `features`: the number
  /// that its postings of a tier count, if all were counted. Error also: corrupt.
  [[nodiscard]] Result<std::string> id_of(DocNumber number, std::optional<std::uint64_t> features,
                                          std::size_t tier) const;

  /// Calls visit(candidate, record) for each, in pages.
  using RecordVisitor = std::function<Result<void>(const Candidate&, DocumentRecord)>;
  [[nodiscard]] Result<void> for_each_record(std::span<const Candidate> candidates,
                                             const RecordVisitor& visit) const;
  /// Those of some document numbers, ascending, that do not exist, ascending.
  [[nodiscard]] Result<std::vector<std::int64_t>> missing_of(const std::vector<std::int64_t>& numbers) const;
  /// Drops candidates that do not exist, and those that the request excludes or does not accept.
  [[nodiscard]] Result<void> leave_out(const SearchRequest& request,
                                       std::vector<Candidate>& candidates) const;

 private:
  struct Listed {
    std::string id;
    std::int64_t number = 0;
    std::uint64_t features = 0;
  };
  [[nodiscard]] Statement select_missing(const std::vector<std::int64_t>& numbers) const;
  [[nodiscard]] Statement select_records(const std::vector<std::int64_t>& numbers) const;
  [[nodiscard]] Result<void> read_records(std::span<const Candidate> candidates,
                                          const RecordVisitor& visit) const;
  [[nodiscard]] Result<void> accept_some(const SearchRequest& request,
                                         std::vector<Candidate>& candidates) const;

  Connection& connection_;
  StoreNumber store_;
  bool is_local_;
  mutable std::unordered_map<std::int64_t, std::string> ahead_;  ///< records of the likely page, by number
  mutable std::unordered_map<DocNumber, std::string> ids_;
  mutable std::vector<Listed> listed_;  ///< ids ascending
  mutable std::size_t expected_ = 0;    ///< in listed_: the next to be asked for
};

}  // namespace akin::pg
