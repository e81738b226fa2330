// What the commands below `akin store` share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/cli/frame/program.h"

namespace akin::cli {

/// The database that a command names, or else that of --store. Error: invalid_argument (there is none).
[[nodiscard]] Result<std::string> database_address(const std::string& address, const CommonOptions& options);

void add_store_copy_command(Program& program, Command store);

/// Connection strings by commas. A comma parts them where another one begins behind it, for libpq's own lists
/// of hosts have commas too.
[[nodiscard]] std::vector<std::string> split_addresses(std::string_view text);

}  // namespace akin::cli
