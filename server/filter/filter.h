// The filter language: which documents a search or a list is about.
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
//     date       = as parse_rfc3339 takes it: 2020-01-01, 2020-01-01T10:30:00Z
// clang-format on
//
// Keywords are taken in capitals and in small letters. Blanks, tabs and line ends part words.
//
// Fields: `id` and `title` are strings, `stored` is the moment of storing; every other field is that of the
// metadata object. Values of one type compare: numbers by value, strings by their bytes, and where both sides
// are dates, strings too, by the moment they tell (but ids and titles). Of true and false only equality is
// asked. A list in the metadata satisfies a test if one of its elements does. A comparison with a field that
// is missing, null or of another type is false; `!=` and `NOT IN` are the opposites of `=` and `IN`, so they
// are true then.
#pragma once

#include <memory>
#include <string_view>

#include "base/error.h"
#include "index/store.h"

namespace akin::filter {

inline constexpr std::size_t kMaxFilterBytes = std::size_t{16} << 10;
/// Parentheses and NOTs inside one another, at most.
inline constexpr std::size_t kMaxFilterDepth = 64;

struct Node;

/// A filter that was read. Immutable: any number of threads may ask it. Copies share it.
class Filter {
 public:
  /// Errors: invalid_argument (position, from 1 in code points; what was expected and what stands there),
  /// invalid_utf8, too_large.
  [[nodiscard]] static Result<Filter> parse(std::string_view text);

  /// Whether a document satisfies it. Reads the record's metadata once, and only if a field of theirs is
  /// asked for; metadata that are no JSON object have no fields.
  [[nodiscard]] bool accepts(const DocumentRecord& document) const;

 private:
  explicit Filter(std::shared_ptr<const Node> root) noexcept : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace akin::filter
