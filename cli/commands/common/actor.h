// Who runs a command, for the audit log.
#pragma once

#include "server/state/actor.h"

namespace akin::cli {

/// The user of the system that the process runs as.
[[nodiscard]] state::Actor actor_of_command();

}  // namespace akin::cli
