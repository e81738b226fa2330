// What the description in openapi/ declares of a parameter. describe.py makes the table of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace akin::api {

enum class ParameterKind {
  text,
  integer,
  share,   ///< a number from 0 to 1
  flag,    ///< "true" or "false"
  word,    ///< one of `words`
  list,    ///< names separated by commas; if it has `words`, at least one of these
  object,  ///< JSON
};

struct DeclaredParameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::text;
  std::uint64_t least = 0, most = 0;  ///< of an integer
  std::string_view absent = "";       ///< the value if none is given; empty: there is none
  std::string_view words = "";        ///< of a word or a list, separated by commas
  std::string_view meaning = "";      ///< in Markdown

  [[nodiscard]] bool accepts(std::string_view value) const noexcept;
  /// What a value must be: "an integer from 1 to 1000".
  [[nodiscard]] std::string expected() const;

 private:
  [[nodiscard]] bool has_word(std::string_view value) const noexcept;
};

/// The parameters of the operation that this handler answers; empty without such an operation.
[[nodiscard]] std::span<const DeclaredParameter> parameters_of(std::string_view operation) noexcept;

}  // namespace akin::api
