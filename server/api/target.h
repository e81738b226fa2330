// A request's target: path and query, percent-decoded exactly once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::api {

struct Parameter {
  std::string name;
  std::string value;
};

struct Target {
  std::string path;  ///< begins with '/'; still encoded: only a split path can be decoded without loss
  std::vector<Parameter> query;  ///< decoded, in the order given
};

/// The path of a target in either form, without its query; still encoded. Unspecified for a malformed target.
[[nodiscard]] std::string_view path_of(std::string_view target) noexcept;

/// Takes "/path?a=1&b=2" or the absolute form "http://host/path?…". Errors: invalid_argument (no leading '/',
/// a fragment, a malformed escape, an empty parameter name), invalid_utf8.
[[nodiscard]] Result<Target> parse_target(std::string_view target);

enum class Plus { literal, space };

/// Decodes %XX, and with Plus::space '+' as a space, as in the form encoding of queries. The result is UTF-8.
/// Errors, which name `what`: invalid_argument with the position of a malformed escape, invalid_utf8.
[[nodiscard]] Result<std::string> percent_decode(std::string_view encoded, std::string_view what, Plus plus);

}  // namespace akin::api
