// The bounds of a server's options, and what it may not do without access keys.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"
#include "server/http/server.h"

namespace akin::http {

/// Errors: invalid_argument, which names the first option that is out of its bounds; those of load_tls.
[[nodiscard]] Result<void> check_options(const ServerOptions& options);

/// Whether a server with these options may listen there, and could: opens a socket with another port of the
/// address for a moment. Errors: invalid_argument, io (it is none of this machine), reachable_without_keys.
[[nodiscard]] Result<void> check_address(const ServerOptions& options);

/// The error of listening where other machines can reach a server that has no access keys.
[[nodiscard]] Error reachable_without_keys(const std::string& address);

/// What a server without keys may not have: a public URL, or the origin "*", by which a page of any site
/// could delete everything. Error: forbidden.
[[nodiscard]] Result<void> check_without_keys(const ServerOptions& options);

}  // namespace akin::http
