// Requests and answers as the handlers see them, and the table from error codes to HTTP.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "server/api/write/objects.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::access {
class Grant;
}

namespace akin::api {

using json::Fields;
using json::in_quotes;
using json::parse_json;
using json::quoted_list;

struct Route;   // a path of the table in router.cpp
struct Method;  // a method of such a path

/// How a request is answered.
enum class Delivery {
  at_once,  ///< touches neither disk nor text: answered even while every worker is busy
  worker,   ///< may take time
  probe,    ///< looks whether the server is ready: answered even while every worker is busy
  stream,   ///< reads the body while it arrives and answers meanwhile: handle_stream
};

/// Where the variable parts of a pattern lie in a path.
struct Captures {
  struct Place {
    std::size_t begin = 0, length = 0;
  };
  std::array<Place, 2> places = {};  ///< no pattern has more
  std::size_t count = 0;
};

/// What the table of paths has for a request (endpoint_of).
struct Endpoint {
  std::string_view pattern;  ///< that the path matches: "/v1/collections/{collection}"; empty if none does
  Delivery delivery = Delivery::at_once;
  const Route* route = nullptr;    ///< for the router alone; null if the path is not served
  const Method* method = nullptr;  ///< for the router alone; null if the method is not offered on the path
  Captures captures = {};
};

struct Request {
  std::string method;        ///< as sent: "GET"
  std::string target;        ///< as sent, still percent-encoded: "/v1/collections?x=1"
  std::string content_type;  ///< the field's value; empty if the client sent none
  std::string body;          ///< without its content encoding
  /// All header fields in the order of arrival, their names in lower case.
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string id = {};                              ///< identifies the request in logs and answers
  std::string peer = {};                            ///< the client's address, without its port
  std::string person = {};                          ///< id of the person who signed on at a trusted proxy
  std::string client = {};                          ///< whose share the request uses: its key, or its address
  std::shared_ptr<const access::Grant> grant = {};  ///< the client's key; null if no keys are in use
  std::optional<Endpoint> endpoint = {};            ///< endpoint_of the head, once it has been looked up
  /// A form of the desk whose session has ended: handle() answers it by the page for signing in alone.
  bool needs_sign_in = false;

  /// The field's value; repeated fields are joined by ", " (RFC 9110, 5.3). `name` is in lower case.
  [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  ///< in addition to Content-Length
  std::string body;          ///< JSON with a trailing newline, unless a header gives another content type
  std::string trouble = {};  ///< of a server's error, for the log: all that the error says
  std::string work = {};     ///< for the log of slow requests: what was searched and aligned
  /// The request, which has no body, wants to be answered again while this is not over since it arrived.
  std::chrono::seconds wait{0};
};

inline constexpr std::string_view kJsonType = "application/json; charset=utf-8";
/// One JSON object per line.
inline constexpr std::string_view kLinesType = "application/x-ndjson; charset=utf-8";
/// RFC 9457.
inline constexpr std::string_view kProblemType = "application/problem+json";

/// A code of problems, the one status that it has, and its title. docs/errors.md has what each means.
struct ProblemKind {
  std::string_view code;
  int status;
  std::string_view title;
};

/// All that there are: one for each Errc, in their order and with their names, and those that only HTTP has.
[[nodiscard]] std::span<const ProblemKind> problem_kinds() noexcept;

[[nodiscard]] Response json_response(int status, const Json& object);

/// Problem details (RFC 9457): {"type","title","status"} before the members of error_object, with the code's
/// status; `type` points to the code's row on the page /docs/errors. `busy`,
/// `quarantined` and `unavailable` are sent with Retry-After; an answer from 500 on has its message in
/// `trouble`.
[[nodiscard]] Response error_response(const Error& error);
/// The same of a kind that only HTTP has, in place of the error's own. Requires that there is such a code.
[[nodiscard]] Response error_response(const Error& error, std::string_view code);

}  // namespace akin::api
