#include "server/http/refusal.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <iterator>
#include <utility>

#include "server/ingest/content_coding.h"

namespace akin::http {

namespace {

namespace beast = boost::beast;
using beast::http::field;

Refusal refuse(const Error& error, const char* reason) { return {api::error_response(error), reason}; }
Refusal refuse(const Error& error, std::string_view code, const char* reason) {
  return {api::error_response(error, code), reason};
}

}  // namespace

std::string_view admission_reason(int status) noexcept {
  switch (status) {
    case 401:
      return "unauthenticated";
    case 403:
    case 421:
      return "forbidden";
    case 429:
      return "rate_limited";
    default:
      return "unavailable";
  }
}

Refusal bad_request(std::string reason) {
  return refuse(Error{Errc::invalid_argument, "HTTP request", std::move(reason),
                      "send HTTP/1.1 as RFC 9112 specifies it"},
                "malformed");
}

Refusal body_too_large(std::size_t limit) {
  return refuse(Error{Errc::too_large, "body of the request",
                      "exceeds the limit of " + std::to_string(limit) + " bytes",
                      "send less, or have the server's body limit raised"},
                "body_limit");
}

Refusal no_body_memory() {
  return refuse(Error{Errc::busy, "server", "the bodies being processed fill the memory reserved for them",
                      "try again in a moment"},
                "body_memory");
}

Error too_slow_for_others(const ServerOptions& options) {
  return Error{Errc::timed_out, "HTTP request",
               "it was slower than " + std::to_string(options.busy_rate) +
                   " bytes per second while others waited for what it held",
               "send and read it faster, or try again when the server is less busy"};
}

Refusal slow_body(const ServerOptions& options) { return refuse(too_slow_for_others(options), "slow_body"); }

Refusal refusal_of(const boost::system::error_code& failure, bool expired, const ServerOptions& options) {
  using E = beast::http::error;
  if (expired) {
    return refuse(
        Error{Errc::timed_out, "HTTP request", "did not arrive in the time allowed", "send it faster"},
        "timed_out");
  }
  if (failure == E::header_limit || failure == E::buffer_overflow) {
    return refuse(Error{Errc::too_large, "header of the request",
                        "exceeds the limit of " + std::to_string(options.header_limit) + " bytes",
                        "shorten the path, the query or the header fields"},
                  "header_too_large", "header_limit");
  }
  const bool gone = failure == E::end_of_stream || failure == E::partial_message;
  if (!gone && failure.category() == make_error_code(E::bad_method).category())
    return bad_request(failure.message());
  return {};
}

std::optional<Refusal> check_header(const Parser::value_type& request, const ServerOptions& options) {
  if (static_cast<std::size_t>(std::distance(request.begin(), request.end())) > options.max_header_fields) {
    return refuse(Error{Errc::too_large, "header of the request",
                        "has more than " + std::to_string(options.max_header_fields) + " fields",
                        "send fewer header fields"},
                  "header_too_large", "header_limit");
  }
  if (request.version() == 11 && request.count(field::host) != 1) {
    return bad_request("HTTP/1.1 needs exactly one Host field");
  }
  if (request.count(field::transfer_encoding) > 0) {
    if (request.version() < 11) return bad_request("Transfer-Encoding in HTTP/1.0");
    if (request.count(field::content_length) > 0)
      return bad_request("both Transfer-Encoding and Content-Length");
    if (request.count(field::transfer_encoding) > 1)
      return bad_request("more than one Transfer-Encoding field");
    if (!beast::iequals(request[field::transfer_encoding], "chunked")) {
      return refuse(Error{Errc::unsupported, "transfer encoding of the body", "only 'chunked' is supported",
                          "send the body plain or chunked"},
                    "coding_unsupported", "malformed");
    }
  }
  if (request.count(field::content_length) > 1) return bad_request("more than one Content-Length field");
  if (request.count(field::content_type) > 1) return bad_request("more than one Content-Type field");
  const bool coded = request.count(field::content_encoding) > 0;
  if (request.count(field::content_encoding) > 1 ||
      (coded && !ingest::find_coding(request[field::content_encoding]))) {
    Refusal refusal =
        refuse(Error{Errc::type_unsupported, "content encoding of the body",
                     "only one of gzip and zstd is supported", "send the body so encoded, or unencoded"},
               "unsupported");
    refusal.answer->headers.emplace_back("Accept-Encoding", ingest::kCodings);
    return refusal;
  }
  if (!request[field::expect].empty() && !beast::iequals(request[field::expect], "100-continue")) {
    return refuse(
        Error{Errc::unsupported, "field Expect", "only '100-continue' is supported", "leave it out"},
        "expectation_failed", "unsupported");
  }
  return std::nullopt;
}

bool awaits_continue(const Parser::value_type& request) {
  return request.version() > 10 && !request[beast::http::field::expect].empty();
}

}  // namespace akin::http
