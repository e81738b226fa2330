// What the commands below `akin store` share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/cli/frame/program.h"

namespace akin::cli {

/// The database that a command names, or else that of --store. Error: invalid_argument (neither is given, or
/// not the address of a database).
[[nodiscard]] Result<std::string> database_address(const std::string& address, const CommonOptions& options);

void add_store_copy_command(Program& program, Command store);

/// Splits a list of connection strings at commas. A comma separates two of them only if another one starts
/// after it, because libpq's own lists of hosts contain commas too.
[[nodiscard]] std::vector<std::string> split_addresses(std::string_view text);

}  // namespace akin::cli
