// Passes over the postings of a PostgreSQL store.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "index/pairs/list_stream.h"
#include "index/pg/client/connection.h"
#include "index/pg/postings/posting_rows.h"

namespace akin::pg {

/// The lists of the documents in the directory, as of the tables' transaction, which must outlive the
/// source and its streams.
class PgListSource final : public ListSource {
 public:
  /// With a tier (morph/tiers.h) only the lists of its features. Reads the set of existing documents, one bit
  /// each. Error: too_large (document numbers that do not fit 32 bits).
  [[nodiscard]] static Result<PgListSource> open(PostingTables tables, std::optional<std::size_t> tier);

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return documents_.size(); }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

 private:
  PgListSource(PostingTables tables, std::optional<std::size_t> tier) noexcept
      : tables_(std::move(tables)), tier_(tier) {}

  PostingTables tables_;
  std::optional<std::size_t> tier_;
  std::vector<bool> documents_;  ///< by number: whether it is in the directory
};

}  // namespace akin::pg
