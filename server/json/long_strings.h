// Long strings of a JSON text, read without a lexer, which goes through them byte by byte.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace akin::json {

struct LongString {
  std::size_t token = 0;  ///< how many strings, keys included, stand before it
  std::string value;
};

/// A JSON text without its long strings.
struct Shortened {
  std::string json;  ///< with "" in their places
  std::vector<LongString> strings;
};

/// Takes the values of at least kLongString bytes out of JSON in UTF-8. What remains is valid exactly if the
/// whole is. Nothing if no value is so long, or if a string cannot be read.
[[nodiscard]] std::optional<Shortened> take_long_strings(std::string_view json);
inline constexpr std::size_t kLongString = 256;

}  // namespace akin::json
