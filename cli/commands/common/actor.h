// Who runs a command, and what it reads, for the audit log.
#pragma once

#include <string>

#include "base/error.h"
#include "index/collection/catalog.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::cli {

/// The user of the system that the process runs as.
[[nodiscard]] state::Actor actor_of_command();

/// Records in the audit log an act of the command that only reads. Nothing without a state (null), where
/// nobody keeps a log, and at a standby, which takes no writes.
[[nodiscard]] Result<void> record_reading(state::State* state, Catalog& catalog, std::string action,
                                          std::string about);

}  // namespace akin::cli
