// The tokens of a filter.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::filter {

struct Token {
  enum class Kind { end, name, string, literal, sign };
  Kind kind = Kind::end;
  std::string text;    ///< of a string without its quotes and backslashes
  std::size_t at = 0;  ///< byte where it begins
};

/// The error for a position in a filter: "at character 7: expected a field, found ')'".
[[nodiscard]] Error refused(std::string_view filter, std::size_t at, std::string_view reason);

/// Splits a filter into tokens. A literal begins with a digit, a minus or a point: a number or a date. Signs
/// are ( ) [ ] , = != < <= > >=.
class Lexer {
 public:
  explicit Lexer(std::string_view filter) noexcept : filter_(filter) {}
  /// The next token; `end` after the last one, on every further call. Error: invalid_argument.
  [[nodiscard]] Result<Token> next();

 private:
  [[nodiscard]] Result<Token> string(std::size_t begin);
  std::string_view filter_;
  std::size_t at_ = 0;
};

}  // namespace akin::filter
