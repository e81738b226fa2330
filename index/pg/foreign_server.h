// A shard as postgres_fdw knows it: what of a connection string belongs to the server, what to its users.
#pragma once

#include <string>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

struct ConnectionOption {
  std::string keyword;
  std::string value;
  bool is_secret = false;  ///< who logs in, and how: of a user mapping, not of a server
};

/// What a libpq connection string or URI says itself; nothing of environment, service file and defaults.
/// Error: invalid_argument, which does not quote the string, for a password may be in it.
[[nodiscard]] Result<std::vector<ConnectionOption>> parse_conninfo(const std::string& conninfo);

/// With time limits for connecting and for a peer that has gone silent, where the string sets none: a server
/// cut off is an error within half a minute then.
void add_time_limits(std::vector<ConnectionOption>& options);

/// As a libpq connection string.
[[nodiscard]] std::string conninfo_of(const std::vector<ConnectionOption>& options);

/// Without its secrets: "host=… dbname=…", for people.
[[nodiscard]] std::string shown_conninfo(const std::string& conninfo);

/// A string as SQL writes it: for statements that take no parameters.
[[nodiscard]] std::string literal(std::string_view value);

/// Makes a foreign server by this name with a user mapping for PUBLIC, or gives one that is there these
/// options; inside of a transaction. Nobody but the server's owner can read the mapping.
[[nodiscard]] Result<void> set_foreign_server(Connection& connection, const std::string& name,
                                              const std::vector<ConnectionOption>& options);

}  // namespace akin::pg
