// The schema of an earlier akin brought to the present one's.
#pragma once

#include "index/pg/connection.h"

namespace akin::pg {

/// The number of the list of tables (schema.h).
inline constexpr std::int64_t kSchemaVersion = 2;

/// Whether the schema is there in the present form.
[[nodiscard]] Result<bool> has_present_schema(Connection& connection);

/// Does nothing where there is no schema, or the present one's. Inside of a transaction, in which nobody else
/// makes or migrates. Error also: mismatch (it is a later akin's).
[[nodiscard]] Result<void> migrate(Connection& connection);

}  // namespace akin::pg
