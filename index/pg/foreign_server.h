// A shard as a server of postgres_fdw: which parts of a connection string belong to the server, and which to
// its users.
#pragma once

#include <string>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

struct ConnectionOption {
  std::string keyword;
  std::string value;
  bool is_secret = false;  ///< the login: belongs to a user mapping, not to a server
};

/// The options in a libpq connection string or URI, without environment, service file and defaults. Error:
/// invalid_argument, which does not quote the string, for a password may be in it.
[[nodiscard]] Result<std::vector<ConnectionOption>> parse_conninfo(const std::string& conninfo);

/// Adds time limits for connecting and for a silent peer, if the string sets none: an unreachable server is
/// then an error within half a minute.
void add_time_limits(std::vector<ConnectionOption>& options);

/// As a libpq connection string.
[[nodiscard]] std::string conninfo_of(const std::vector<ConnectionOption>& options);

/// Without its secrets: "host=… dbname=…", for people.
[[nodiscard]] std::string shown_conninfo(const std::string& conninfo);

/// A string as an SQL literal, for statements that take no parameters.
[[nodiscard]] std::string literal(std::string_view value);

/// Creates a foreign server with this name and a user mapping for PUBLIC, or sets these options on an
/// existing one; inside a transaction. Only the server's owner can read the mapping.
[[nodiscard]] Result<void> set_foreign_server(Connection& connection, const std::string& name,
                                              const std::vector<ConnectionOption>& options);

}  // namespace akin::pg
