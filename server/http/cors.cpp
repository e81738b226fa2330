#include "server/http/cors.h"

#include <algorithm>

namespace akin::http {

namespace {

/// The value of Access-Control-Allow-Origin, if the origin is allowed.
std::optional<std::string> allowed_origin(const std::vector<std::string>& allowed,
                                          const api::Request& request) {
  const auto origin = request.header("origin");
  if (!origin) return std::nullopt;
  if (std::ranges::find(allowed, "*") != allowed.end()) return "*";
  return std::ranges::find(allowed, *origin) != allowed.end() ? origin : std::nullopt;
}

}  // namespace

void add_cors(const std::vector<std::string>& allowed, const api::Request& request, api::Response& response) {
  if (allowed.empty()) return;
  // Caches must not give the answer for one origin to another.
  response.headers.emplace_back("Vary", "Origin");
  const auto origin = allowed_origin(allowed, request);
  if (!origin) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", *origin);
  response.headers.emplace_back(
      "Access-Control-Expose-Headers",
      "Akin-Staleness, Allow, Content-Disposition, ETag, Link, Location, Retry-After, "
      "WWW-Authenticate, X-Next-Cursor, X-Request-Id, X-Total-Count");
}

std::optional<api::Response> answer_preflight(const std::vector<std::string>& allowed,
                                              const api::Request& request) {
  if (allowed.empty() || request.method != "OPTIONS") return std::nullopt;
  if (!request.header("access-control-request-method") || !allowed_origin(allowed, request))
    return std::nullopt;
  api::Response answer;
  answer.status = 204;
  answer.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
  answer.headers.emplace_back("Access-Control-Allow-Headers",
                              "Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, "
                              "If-None-Match, X-Request-Id");
  answer.headers.emplace_back("Access-Control-Max-Age", "600");
  return answer;
}

}  // namespace akin::http
