#include "server/api/target.h"

#include <optional>

#include "base/hex.h"
#include "base/utf8.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

/// The part of the absolute form after scheme and authority.
std::string_view origin_form(std::string_view target) noexcept {
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (!target.starts_with(scheme)) continue;
    const auto slash = target.find('/', scheme.size());
    return slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  return target;
}

}  // namespace

Result<std::vector<Parameter>> parse_query(std::string_view query, std::string_view kind) {
  std::vector<Parameter> parameters;
  while (!query.empty()) {
    const auto ampersand = query.find('&');
    const auto pair = query.substr(0, ampersand);
    query.remove_prefix(ampersand == std::string_view::npos ? query.size() : ampersand + 1);
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    AKIN_TRY(std::string name,
             percent_decode(pair.substr(0, equals), "name of a " + std::string(kind), Plus::space));
    if (name.empty()) {
      return Error{Errc::invalid_argument, std::string(kind), "it has no name",
                   "write name=value&name=value"};
    }
    const auto encoded = equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    AKIN_TRY(std::string value,
             percent_decode(encoded, std::string(kind) + " " + json::in_quotes(name), Plus::space));
    if (parameters.size() == kMostParameters) {
      return Error{Errc::invalid_argument, std::string(kind),
                   "more than " + std::to_string(kMostParameters) + " are given", "give fewer"};
    }
    parameters.push_back({std::move(name), std::move(value), kind});
  }
  return parameters;
}

Result<std::string> percent_decode(std::string_view encoded, std::string_view what, Plus plus) {
  std::string decoded;
  decoded.reserve(encoded.size());
  for (std::size_t at = 0; at < encoded.size(); ++at) {
    if (encoded[at] == '+' && plus == Plus::space) {
      decoded.push_back(' ');
      continue;
    }
    if (encoded[at] != '%') {
      decoded.push_back(encoded[at]);
      continue;
    }
    const auto byte = byte_of_hex(encoded.substr(at + 1, 2));
    if (!byte) {
      return Error{Errc::invalid_argument, std::string(what),
                   "'%' at byte " + std::to_string(at) + " is not followed by two hex digits",
                   "write a '%' as %25"};
    }
    decoded.push_back(*byte);
    at += 2;
  }
  auto valid = validate_utf8(decoded, what);
  if (valid.has_error()) {
    Error error = std::move(valid).error();
    error.remedy = "encode it as UTF-8 before percent-encoding it";
    return error;
  }
  return decoded;
}

std::string_view path_of(std::string_view target) noexcept {
  target = origin_form(target);
  return target.substr(0, target.find('?'));
}

Result<Target> parse_target(std::string_view target) {
  target = origin_form(target);
  if (!target.starts_with('/')) {
    return Error{Errc::invalid_argument, "target of the request", "does not begin with '/'",
                 "request a path such as /livez"};
  }
  if (target.find('#') != std::string_view::npos) {
    return Error{Errc::invalid_argument, "target of the request", "holds a '#'", "write a '#' as %23"};
  }
  Target parsed;
  parsed.path = path_of(target);
  if (parsed.path.size() < target.size()) {
    AKIN_TRY(parsed.query, parse_query(target.substr(parsed.path.size() + 1)));
  }
  return parsed;
}

}  // namespace akin::api
