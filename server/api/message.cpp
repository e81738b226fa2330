#include "server/api/message.h"

#include "server/api/boundary.h"

namespace akin::api {

namespace {

constexpr int kServerErrors = 500;

std::string_view title_of(Errc code) noexcept {
  switch (code) {
    case Errc::invalid_argument:
      return "Invalid argument";
    case Errc::invalid_json:
      return "Invalid JSON";
    case Errc::invalid_utf8:
      return "Invalid UTF-8";
    case Errc::not_found:
      return "Not found";
    case Errc::already_exists:
      return "Already exists";
    case Errc::mismatch:
      return "Built with another configuration";
    case Errc::precondition_failed:
      return "Precondition failed";
    case Errc::too_large:
      return "Too large";
    case Errc::busy:
      return "Busy";
    case Errc::unauthenticated:
      return "Access key required";
    case Errc::forbidden:
      return "Not allowed";
    case Errc::rate_limited:
      return "Too many requests";
    case Errc::timed_out:
      return "Timed out";
    case Errc::corrupt:
      return "Stored data is damaged";
    case Errc::quarantined:
      return "In quarantine after a crash";
    case Errc::disk_full:
      return "Disk full";
    case Errc::io:
      return "Input or output failed";
    case Errc::bad_dictionary:
      return "Unreadable dictionary";
    case Errc::unsupported:
      return "Not supported";
    case Errc::file_encrypted:
      return "Encrypted file";
    case Errc::file_too_large:
      return "File too large";
    case Errc::file_damaged:
      return "Damaged file";
    case Errc::type_unsupported:
      return "File type not supported";
    case Errc::extraction_timed_out:
      return "Reading the file timed out";
    case Errc::unavailable:
      return "Database not available";
    case Errc::internal:
      break;
  }
  return "Internal error";
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

int http_status(Errc code) noexcept {
  switch (code) {
    case Errc::invalid_argument:
    case Errc::invalid_json:
    case Errc::invalid_utf8:
      return 400;
    case Errc::unauthenticated:
      return 401;
    case Errc::forbidden:
      return 403;
    case Errc::not_found:
      return 404;
    case Errc::timed_out:
      return 408;
    case Errc::already_exists:
    case Errc::mismatch:
      return 409;
    case Errc::precondition_failed:
      return 412;
    case Errc::too_large:
    case Errc::file_too_large:
      return 413;
    case Errc::unsupported:
    case Errc::type_unsupported:
      return 415;
    case Errc::file_encrypted:
    case Errc::file_damaged:
    case Errc::extraction_timed_out:
      return 422;
    case Errc::rate_limited:
      return 429;
    case Errc::busy:
    case Errc::quarantined:
    case Errc::unavailable:
      return 503;
    case Errc::disk_full:
      return 507;
    case Errc::corrupt:
    case Errc::io:
    case Errc::bad_dictionary:
    case Errc::internal:
      return 500;
  }
  return 500;
}

Response error_response_surely(const Error& error) noexcept {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      return error_response(error);
    } catch (...) {
      wait_for_memory();
    }
  }
  return Response{.status = http_status(error.code), .headers = {}, .body = {}};
}

Response json_response(int status, const Json& object) {
  return Response{status, {}, json::compact(object) + "\n"};
}

Response error_response(const Error& error) { return error_response(error, http_status(error.code)); }

Response error_response(const Error& error, int status) {
  Json problem;
  problem["type"] = "/docs/errors#" + std::string(error_name(error.code));
  problem["title"] = title_of(error.code);
  problem["status"] = status;
  problem.update(error_object(error));
  Response response = json_response(status, problem);
  if (status >= kServerErrors) response.trouble = error.message();
  response.headers.emplace_back("Content-Type", std::string(kProblemType));
  // Somebody has to end a quarantine; everything else may be over soon.
  if (status == 503)
    response.headers.emplace_back("Retry-After", error.code == Errc::quarantined ? "60" : "1");
  return response;
}

}  // namespace akin::api
