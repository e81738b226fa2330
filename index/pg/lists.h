// Passes over the postings of a PostgreSQL store.
#pragma once

#include <optional>

#include "index/list_stream.h"
#include "index/pg/connection.h"
#include "index/pg/schema.h"

namespace akin::pg {

/// The lists as of the connection's transaction, which must outlive source and streams. Document numbers must
/// be below 2^32 - 1; a list with a larger one is an error, too_large.
class PgListSource final : public ListSource {
 public:
  /// With a tier (morph/tiers.h) only the lists of its features.
  PgListSource(Connection& connection, StoreNumber store, std::uint64_t document_limit,
               std::optional<std::size_t> tier) noexcept
      : connection_(connection), store_(store), document_limit_(document_limit), tier_(tier) {}

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return document_limit_; }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

 private:
  Connection& connection_;
  StoreNumber store_;
  std::uint64_t document_limit_;
  std::optional<std::size_t> tier_;
};

}  // namespace akin::pg
