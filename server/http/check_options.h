// The bounds of a server's options.
#pragma once

#include "base/error.h"
#include "server/http/server.h"

namespace akin::http {

/// Error: invalid_argument, which names the first option that is out of its bounds.
[[nodiscard]] Result<void> check_options(const ServerOptions& options);

}  // namespace akin::http
