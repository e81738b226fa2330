// A request's target: path and query, percent-decoded exactly once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::api {

struct Parameter {
  std::string name;
  std::string value;
  std::string_view kind = "query parameter";  ///< for errors; a literal
};

/// A query or a form has at most this many parameters.
inline constexpr std::size_t kMostParameters = 1000;

struct Target {
  std::string path;  ///< begins with '/'; still encoded: only a split path can be decoded without loss
  std::vector<Parameter> query;  ///< decoded, in the order given
};

/// The path of a target in either form, without its query; still encoded. Unspecified for a malformed target.
[[nodiscard]] std::string_view path_of(std::string_view target) noexcept;

/// Takes "/path?a=1&b=2" or the absolute form "http://host/path?…". Errors: invalid_argument (no leading '/',
/// a fragment), as parse_query.
[[nodiscard]] Result<Target> parse_target(std::string_view target);

/// The parameters of a query, or of a form in the same encoding, decoded, in the order given; `kind` is
/// theirs. Errors: invalid_argument (a malformed escape, an empty name, more than kMostParameters),
/// invalid_utf8.
[[nodiscard]] Result<std::vector<Parameter>> parse_query(std::string_view query,
                                                         std::string_view kind = Parameter{}.kind);

enum class Plus { literal, space };

/// Decodes %XX, and with Plus::space '+' as a space, as in the form encoding of queries. The result is UTF-8.
/// Errors, which name `what`: invalid_argument with the position of a malformed escape, invalid_utf8.
[[nodiscard]] Result<std::string> percent_decode(std::string_view encoded, std::string_view what, Plus plus);

}  // namespace akin::api
