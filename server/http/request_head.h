// Converts a parsed header into the API's request.
#pragma once

#include <string>

#include "server/api/message.h"
#include "server/http/piece_body.h"

namespace akin::http {

/// The request without its body. Its id is the client's X-Request-Id if that is 1 to 128 of A-Z a-z 0-9 . _
/// -, else a new one of 16 hex digits.
[[nodiscard]] api::Request request_head(const Parser::value_type& parsed, const std::string& peer);

}  // namespace akin::http
