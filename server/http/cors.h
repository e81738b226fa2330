// Cross-origin requests by browsers: get no CORS headers unless their origin is configured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/api/message.h"

namespace akin::http {

/// Adds the header fields that a browser requires, for the allowed origins ("*": all). Adds nothing if there
/// are none.
void add_cors(const std::vector<std::string>& allowed, const api::Request& request, api::Response& response);

/// The answer to a preflight request from an allowed origin; nothing for all other requests.
[[nodiscard]] std::optional<api::Response> answer_preflight(const std::vector<std::string>& allowed,
                                                            const api::Request& request);

}  // namespace akin::http
