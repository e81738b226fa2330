// Requests and answers as the handlers see them, and the table from error codes to HTTP.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "server/api/objects.h"

namespace akin::api {

struct Request {
  std::string method;        ///< as sent: "GET"
  std::string target;        ///< as sent, still percent-encoded: "/v1/collections?x=1"
  std::string content_type;  ///< the field's value; empty if the client sent none
  std::string body;
};

struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  ///< beside the content's length
  std::string body;  ///< JSON with a newline at its end, unless a header tells another content type
};

inline constexpr std::string_view kJsonType = "application/json; charset=utf-8";
/// One JSON object a line.
inline constexpr std::string_view kLinesType = "application/x-ndjson; charset=utf-8";

/// The HTTP status of an error code. The only such table.
[[nodiscard]] int http_status(Errc code) noexcept;

[[nodiscard]] Response json_response(int status, const Json& object);

/// The error_object under its code's status; `busy` comes with Retry-After.
[[nodiscard]] Response error_response(const Error& error);
/// The same under a more exact status than the code's own (405, 408, 431, …).
[[nodiscard]] Response error_response(const Error& error, int status);

}  // namespace akin::api
