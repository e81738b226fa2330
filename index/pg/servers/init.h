// Prepares a database for collections.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace akin::pg {

/// server_version_num of the oldest supported PostgreSQL: 15.
inline constexpr std::int64_t kOldestServer = 150000;

/// Creates akin's schema in a database, if it is missing. Errors: invalid_argument (no connection string),
/// mismatch (PostgreSQL before 15, another akin's schema), unsupported (a pooler in transaction mode),
/// forbidden, and those of Connection::open.
[[nodiscard]] Result<void> init_database(const std::string& conninfo);

}  // namespace akin::pg
