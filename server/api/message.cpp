#include "server/api/message.h"

#include <algorithm>

#include "server/api/boundary.h"

namespace akin::api {

namespace {

constexpr int kServerErrors = 500;

/// The kinds of the codes of errors, in their order, then those of requests that HTTP itself refuses.
constexpr ProblemKind kProblemKinds[] = {
    {"invalid_argument", 400, "Invalid argument"},
    {"invalid_json", 400, "Invalid JSON"},
    {"invalid_utf8", 400, "Invalid UTF-8"},
    {"not_found", 404, "Not found"},
    {"already_exists", 409, "Already exists"},
    {"precondition_failed", 412, "Precondition failed"},
    {"mismatch", 409, "Built with another configuration"},
    {"too_large", 413, "Too large"},
    {"busy", 503, "Busy"},
    {"unauthenticated", 401, "Access key required"},
    {"forbidden", 403, "Not allowed"},
    {"rate_limited", 429, "Too many requests"},
    {"timed_out", 408, "Timed out"},
    {"corrupt", 500, "Stored data is damaged"},
    {"quarantined", 503, "In quarantine after a crash"},
    {"disk_full", 507, "Disk full"},
    {"io", 500, "Input or output failed"},
    {"bad_dictionary", 500, "Unreadable dictionary"},
    {"unsupported", 409, "Not possible here"},
    {"file_encrypted", 422, "Encrypted file"},
    {"file_too_large", 413, "File too large"},
    {"file_damaged", 422, "Damaged file"},
    {"type_unsupported", 415, "Type not supported"},
    {"extraction_timed_out", 422, "Reading the file timed out"},
    {"unavailable", 503, "Database not available"},
    {"internal", 500, "Internal error"},
    {"method_not_allowed", 405, "Method not allowed"},
    {"request_in_progress", 409, "The first request is in progress"},
    {"range_not_satisfiable", 416, "No such range"},
    {"expectation_failed", 417, "Expectation failed"},
    {"wrong_host", 421, "Not this server's name"},
    {"key_reused", 422, "Idempotency-Key of another request"},
    {"header_too_large", 431, "Header too large"},
    {"coding_unsupported", 501, "Transfer coding not supported"},
    {"not_ready", 503, "Not ready"},
};

const ProblemKind& kind_of(Errc code) noexcept { return kProblemKinds[static_cast<std::size_t>(code)]; }

Response problem(const Error& error, const ProblemKind& kind) {
  Json problem;
  problem["type"] = "/docs/errors#" + std::string(kind.code);
  problem["title"] = kind.title;
  problem["status"] = kind.status;
  problem.update(error_object(error));
  problem["code"] = kind.code;
  Response response = json_response(kind.status, problem);
  if (kind.status >= kServerErrors) response.trouble = error.message();
  response.headers.emplace_back("Content-Type", std::string(kProblemType));
  // Somebody has to end a quarantine; everything else may be over soon.
  if (kind.status == 503)
    response.headers.emplace_back("Retry-After", error.code == Errc::quarantined ? "60" : "1");
  return response;
}

}  // namespace

std::optional<std::string> Request::header(std::string_view name) const {
  std::optional<std::string> joined;
  for (const auto& [field, value] : headers) {
    if (field != name) continue;
    joined = joined ? *joined + ", " + value : value;
  }
  return joined;
}

std::span<const ProblemKind> problem_kinds() noexcept { return kProblemKinds; }

Response error_response_surely(const Error& error) noexcept {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      return error_response(error);
    } catch (...) {
      wait_for_memory();
    }
  }
  return Response{.status = kind_of(error.code).status, .headers = {}, .body = {}};
}

Response json_response(int status, const Json& object) {
  return Response{status, {}, json::compact(object) + "\n"};
}

Response error_response(const Error& error) { return problem(error, kind_of(error.code)); }

Response error_response(const Error& error, std::string_view code) {
  return problem(error, *std::ranges::find(kProblemKinds, code, &ProblemKind::code));
}

}  // namespace akin::api
