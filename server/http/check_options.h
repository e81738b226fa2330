// The bounds of a server's options, and what it may not do without access keys.
#pragma once

#include <string>

#include "base/error.h"
#include "server/http/server.h"

namespace akin::http {

/// Error: invalid_argument, which names the first option that is out of its bounds.
[[nodiscard]] Result<void> check_options(const ServerOptions& options);

/// The error of listening where other machines can reach a server that has no access keys.
[[nodiscard]] Error reachable_without_keys(const std::string& address);

}  // namespace akin::http
