#include "server/api/body.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/utf8.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

Error unsupported_type(std::string reason) {
  return Error{Errc::unsupported, "content type of the body", std::move(reason),
               "send 'Content-Type: text/plain' or 'Content-Type: application/json', in UTF-8"};
}

/// Checks the parameters of the content type. Only charset affects how bytes are read.
Result<void> require_utf8(std::string_view parameters) {
  while (!parameters.empty()) {
    const auto semicolon = parameters.find(';');
    const auto parameter = trimmed(parameters.substr(0, semicolon));
    parameters.remove_prefix(semicolon == std::string_view::npos ? parameters.size() : semicolon + 1);
    const auto equals = parameter.find('=');
    if (equals == std::string_view::npos || ascii_lower(trimmed(parameter.substr(0, equals))) != "charset")
      continue;
    std::string charset = ascii_lower(trimmed(parameter.substr(equals + 1)));
    std::erase(charset, '"');
    if (charset != "utf-8" && charset != "utf8" && charset != "us-ascii") {
      return unsupported_type("charset " + in_quotes(charset) + " is not supported");
    }
  }
  return {};
}

}  // namespace

Result<BodyType> body_type(const Request& request) {
  if (request.content_type.empty()) return unsupported_type("is missing");
  if (validate_utf8(request.content_type, "content type").has_error())
    return unsupported_type("is not UTF-8");
  const std::string_view field = request.content_type;
  const auto semicolon = field.find(';');
  const std::string media = ascii_lower(trimmed(field.substr(0, semicolon)));
  if (media != "text/plain" && media != "application/json") {
    return unsupported_type(in_quotes(media) + " is not supported");
  }
  if (semicolon != std::string_view::npos) {
    AKIN_CHECK(require_utf8(field.substr(semicolon + 1)));
  }
  return media == "text/plain" ? BodyType::text : BodyType::json;
}

Result<Json> json_value(const Request& request) {
  AKIN_TRY(const BodyType type, body_type(request));
  if (type == BodyType::json) return parse_json(request.body);
  return Error{Errc::unsupported, "content type of the body", "only JSON is accepted here",
               "send 'Content-Type: application/json'"};
}

Result<Fields> json_body(const Request& request, std::initializer_list<std::string_view> known) {
  AKIN_TRY(Json value, json_value(request));
  return Fields::read(std::move(value), known);
}

Result<void> require_lines(const Request& request) {
  std::string type = request.content_type.substr(0, request.content_type.find(';'));
  while (type.ends_with(' ')) type.pop_back();
  if (equals_ignoring_case(type, "application/x-ndjson")) return {};
  return Error{Errc::unsupported, "content type of the body", "only lines of JSON are accepted here",
               "send 'Content-Type: application/x-ndjson'"};
}

}  // namespace akin::api
