// Cross-origin requests by browsers: refused by silence unless their origin is configured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/api/message.h"

namespace akin::http {

/// Adds to an answer what a browser asks for, by the origins that are allowed ("*": all). Nothing when there
/// are none.
void add_cors(const std::vector<std::string>& allowed, const api::Request& request, api::Response& response);

/// The answer to a preflight request from an allowed origin; nothing for all other requests.
[[nodiscard]] std::optional<api::Response> answer_preflight(const std::vector<std::string>& allowed,
                                                            const api::Request& request);

}  // namespace akin::http
