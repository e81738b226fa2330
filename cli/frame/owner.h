// Whose the data folder is.
#pragma once

#include <sys/types.h>

#include <string>

#include "cli/frame/workspace.h"

namespace akin::cli {

/// The name of a user of this machine, or the number of one without a name.
[[nodiscard]] std::string user_name(uid_t user);

/// For what makes files in the data folder: those that root makes in another user's folder would be closed to
/// the server, which runs as that user. Error: invalid_argument, if this process is root's and the folder is
/// not; its remedy has the command that runs as the owner.
[[nodiscard]] Result<void> check_owner(const CommonOptions& options);

}  // namespace akin::cli
