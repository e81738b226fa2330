// Whether a connection keeps its session, to which akin's locks, settings and prepared statements belong; and
// how old the view of a standby is, a server that follows another one's log and answers reads only.
#pragma once

#include <optional>
#include <string>

#include "index/collection/catalog.h"
#include "index/pg/client/connection.h"

namespace akin::pg {

/// Refuses a pooler that gives each transaction another session (PgBouncer's pool_mode = transaction or
/// statement). Prepares nothing. `conninfo` is the connection's own; it is opened a second time only if there
/// is a pooler. Error also: unsupported.
[[nodiscard]] Result<void> require_own_sessions(Connection& connection, const std::string& conninfo);

/// How old the view of a connection's server is; nothing unless it is a standby. If everything that has
/// arrived is applied and a connection to the primary exists, its age is 0; otherwise it is the time since
/// the last commit that is applied, or, if there is none yet, since the checkpoint that it started from.
[[nodiscard]] Result<std::optional<Staleness>> read_staleness(Connection& connection);

}  // namespace akin::pg
