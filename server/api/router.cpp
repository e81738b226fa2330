// Which method of which path goes to which handler, and the boundary where an error becomes an answer.

#include <array>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/api/handlers.h"
#include "server/api/quoted.h"

namespace akin::api {

namespace {

struct Method {
  std::string_view name;
  Handler handler = nullptr;
};

/// A pattern's part "{}" captures one part of a path; "{*}", at its end, captures all the rest with its
/// slashes.
struct Route {
  std::string_view pattern;
  std::array<Method, 3> methods;  ///< unused ones are empty

  [[nodiscard]] Handler handler(std::string_view method) const noexcept {
    for (const Method& offered : methods) {
      if (offered.name == method) return offered.handler;
    }
    return nullptr;
  }
};

constexpr std::array kRoutes = {
    Route{"/livez", {{{"GET", get_livez}}}},
    Route{"/readyz", {{{"GET", get_readyz}}}},
    Route{"/version", {{{"GET", get_version}}}},
    Route{"/v1/collections", {{{"GET", list_collections}}}},
    Route{"/v1/collections/{}",
          {{{"GET", get_collection}, {"PUT", put_collection}, {"DELETE", delete_collection}}}},
    Route{"/v1/collections/{}/documents", {{{"GET", list_documents}}}},
    Route{"/v1/collections/{}/documents/{*}",
          {{{"GET", get_document}, {"PUT", put_document}, {"DELETE", delete_document}}}},
    Route{"/v1/collections/{}/similar", {{{"POST", post_similar}}}},
    Route{"/v1/collections/{}/pairs", {{{"POST", post_pairs}}}},
    Route{"/v1/tasks", {{{"GET", list_tasks}}}},
    Route{"/v1/tasks/{}", {{{"GET", get_task}, {"DELETE", delete_task}}}},
    Route{"/v1/tasks/{}/result", {{{"GET", get_task_result}}}},
    Route{"/v1/compare", {{{"POST", post_compare}}}},
};

/// The raw captures of `path`, or nothing if it does not match.
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view path) {
  std::vector<std::string_view> captures;
  while (true) {
    const auto part = pattern.substr(0, pattern.find('/'));
    if (part == "{*}") {
      captures.push_back(path);
      return captures;
    }
    const auto given = path.substr(0, path.find('/'));
    if (part == "{}") {
      captures.push_back(given);
    } else if (part != given) {
      return std::nullopt;
    }
    const bool pattern_ends = part.size() == pattern.size();
    const bool path_ends = given.size() == path.size();
    if (pattern_ends || path_ends) return pattern_ends && path_ends ? std::optional(captures) : std::nullopt;
    pattern.remove_prefix(part.size() + 1);
    path.remove_prefix(given.size() + 1);
  }
}

Response method_not_allowed(const Route& route, const Request& request) {
  std::string allow;
  for (const Method& offered : route.methods) {
    if (offered.name.empty()) continue;
    if (!allow.empty()) allow += ", ";
    allow += offered.name;
    if (offered.name == "GET") allow += ", HEAD";
  }
  Response response = error_response(
      Error{Errc::unsupported, "method " + request.method, "not offered on this path", "use one of " + allow},
      405);
  response.headers.emplace_back("Allow", allow);
  return response;
}

Result<Response> dispatch(const Service& service, const Request& request, const Target& target) {
  for (const Route& route : kRoutes) {
    const auto raw = match(route.pattern, target.path);
    if (!raw) continue;
    // HEAD is GET; whoever sends the answer leaves its body out.
    const Handler handler =
        route.handler(request.method == "HEAD" ? "GET" : std::string_view(request.method));
    if (handler == nullptr) return method_not_allowed(route, request);
    Call call{service, request, {}, target.query};
    for (const std::string_view part : *raw) {
      AKIN_TRY(std::string decoded, percent_decode(part, "path of the request", Plus::literal));
      call.captures.push_back(std::move(decoded));
    }
    return handler(call);
  }
  return Error{Errc::not_found, "path " + in_quotes(target.path), "nothing is served here",
               "docs/api.md lists the paths; they begin with /v1/collections"};
}

}  // namespace

bool needs_worker(const Request& request) noexcept {
  return request.target != "/livez" && request.target != "/version";
}

Response handle(const Service& service, const Request& request) {
  try {
    auto target = parse_target(request.target);
    if (target.has_error()) return error_response(target.error());
    auto response = dispatch(service, request, *target);
    return response.has_value() ? *std::move(response) : error_response(response.error());
  } catch (const std::bad_alloc&) {
    return error_response(
        Error{Errc::busy, "server", "not enough memory for this request", "try again later"});
  } catch (const std::exception& failure) {
    return error_response(
        Error{Errc::internal, "server", std::string("unexpected failure: ") + failure.what(), "report it"});
  }
}

}  // namespace akin::api
