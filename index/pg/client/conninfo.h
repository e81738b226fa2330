// Connection strings of libpq.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace akin::pg {

struct ConnectionOption {
  std::string keyword;
  std::string value;
};

/// The options in a libpq connection string or URI, without environment, service file and defaults. Error:
/// invalid_argument, which does not quote the string, for a password may be in it.
[[nodiscard]] Result<std::vector<ConnectionOption>> parse_conninfo(const std::string& conninfo);

/// As a connection string has it: in quotes, with quotes and backslashes escaped.
[[nodiscard]] std::string quoted_value(const std::string& value);

/// Without its secrets: "host=… dbname=…", for people.
[[nodiscard]] std::string shown_conninfo(const std::string& conninfo);

}  // namespace akin::pg
