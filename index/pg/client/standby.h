// Standbys: servers that follow another one's log and answer reads only.
#pragma once

#include <optional>

#include "index/collection/catalog.h"
#include "index/pg/client/connection.h"

namespace akin::pg {

/// How old the view of a connection's server is; nothing unless it is a standby. If everything that has
/// arrived is applied and a connection to the primary exists, its age is 0; otherwise it is the time since
/// the last commit that is applied, or, if there is none yet, since the checkpoint that it started from.
[[nodiscard]] Result<std::optional<Staleness>> read_staleness(Connection& connection);

}  // namespace akin::pg
