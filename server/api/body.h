// The type of a request's body.
#pragma once

#include "base/error.h"
#include "server/api/message.h"
#include "server/json/strict_json.h"

namespace akin::api {

enum class BodyType { text, json };

/// Reads the content type: text/plain or application/json, in UTF-8. Error: unsupported, which names the type
/// received and the types accepted.
[[nodiscard]] Result<BodyType> body_type(const Request& request);

/// A body that must be JSON. Errors: unsupported (another content type), as parse_json.
[[nodiscard]] Result<Json> json_value(const Request& request);

/// The fields of a body that must be a JSON object. Errors: unsupported (another content type), as parse_json
/// and Fields::read.
[[nodiscard]] Result<Fields> json_body(const Request& request, std::initializer_list<std::string_view> known);

/// Checks that the content type of a body is JSON lines. Error: unsupported.
[[nodiscard]] Result<void> require_lines(const Request& request);

}  // namespace akin::api
