// The filter language: selects the documents of a search or a list.
//
//     author = "N. N." AND date < 2020-01-01 AND NOT group IN ["a", "b"] AND (source EXISTS OR year >= 2000)
//
// clang-format off
//     filter     = all *( "OR" all )
//     all        = one *( "AND" one )
//     one        = "NOT" one | "(" filter ")" | test
//     test       = field comparison value
//                | field [ "NOT" ] "IN" "[" value *( "," value ) "]"
//                | field "EXISTS"
//     comparison = "=" | "!=" | "<" | "<=" | ">" | ">="
//     field      = name | string        ; a string where the name has other characters or is a keyword
//     name       = ( letter | "_" ) *( letter | digit | "_" | "-" | "." )      ; bytes beyond ASCII are letters
//     value      = string | number | date | "true" | "false"
//     string     = '"' *( any character but '"' and "\" | '\"' | "\\" ) '"'
//     date       = as parse_rfc3339 takes it: 2020-01-01, 2020-01-01T10:30:00Z, "2020" (2020 is a number)
// clang-format on
//
// Keywords are taken in capitals and in small letters. Blanks, tabs and line ends separate words.
//
// Fields: `id` and `title` are strings, `stored` is the moment of storing; every other field is that of the
// metadata object. Values of one type compare: numbers by value, strings by their bytes, and where both sides
// are dates, even as strings, by their moment (except ids and titles). true and false can only be tested for
// equality. A list in the metadata satisfies a test if one of its elements does. A comparison with a field
// that is missing, null or of another type is false; `!=` and `NOT IN` negate `=` and `IN`, so they are true
// then.
#pragma once

#include <memory>
#include <string_view>

#include "base/error.h"
#include "index/store/store.h"

namespace akin::filter {

inline constexpr std::size_t kMaxFilterBytes = std::size_t{16} << 10;
/// The maximum nesting of parentheses and NOTs.
inline constexpr std::size_t kMaxFilterDepth = 64;

struct Node;

/// A parsed filter. Immutable: any number of threads may use it. Copies share the tree.
class Filter {
 public:
  /// Errors: invalid_argument (position, from 1 in code points; what was expected and what was found),
  /// invalid_utf8, too_large.
  [[nodiscard]] static Result<Filter> parse(std::string_view text);

  /// Whether a document satisfies it. Parses the record's metadata once, and only if the filter uses a
  /// metadata field; metadata that are not a JSON object have no fields.
  [[nodiscard]] bool accepts(const DocumentRecord& document) const;

 private:
  explicit Filter(std::shared_ptr<const Node> root) noexcept : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace akin::filter
