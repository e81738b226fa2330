// What the commands below `akin store` share.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/frame/program.h"

namespace akin::cli {

/// The database that a command names, or else that of --store. Error: invalid_argument (neither is given, or
/// not the address of a database).
[[nodiscard]] Result<std::string> database_address(const std::string& address, const CommonOptions& options);

void add_store_copy_command(Program& program, Command store);

}  // namespace akin::cli
