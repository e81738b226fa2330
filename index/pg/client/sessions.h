// Whether a connection keeps its session: akin's locks, settings and prepared statements belong to it.
#pragma once

#include <string>

#include "index/pg/client/connection.h"

namespace akin::pg {

/// Refuses a pooler that gives each transaction another session (PgBouncer's pool_mode = transaction or
/// statement). Prepares nothing. `conninfo` is the connection's own; it is opened a second time only if there
/// is a pooler. Error also: unsupported.
[[nodiscard]] Result<void> require_own_sessions(Connection& connection, const std::string& conninfo);

}  // namespace akin::pg
