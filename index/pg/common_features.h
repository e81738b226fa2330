// Features that many documents of a PostgreSQL store have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/posting_rows.h"

namespace akin::pg {

/// Snapshot::common_features as of the connection's transaction. Counts the features' postings on the server,
/// those of existing documents only.
[[nodiscard]] Result<std::vector<Feature>> find_common(Connection& connection, const PostingTables& tables,
                                                       std::span<const Feature> features,
                                                       std::uint64_t limit);

}  // namespace akin::pg
