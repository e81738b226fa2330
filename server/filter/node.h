// A filter as a tree.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "server/filter/filter.h"

namespace akin::filter {

/// A moment, in microseconds since the Unix epoch.
struct Moment {
  std::int64_t microseconds = 0;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

/// Exact for every 64-bit integer if the mantissa has 64 bits, as on x86-64.
using Number = long double;

/// A value as written in a filter. A string that contains a date stays a string: the field decides its type.
using Value = std::variant<std::string, Number, Moment, bool>;

/// The values of a list, each kind in ascending order for binary search.
struct ValueSet {
  std::vector<std::string> strings;
  std::vector<Number> numbers;
  std::vector<Moment> moments;  ///< dates, and those strings that contain one
  bool has_true = false, has_false = false;
};

enum class Comparison { less, less_or_equal, greater, greater_or_equal };

struct Field {
  enum class Kind { id, title, stored, metadata };
  Kind kind = Kind::metadata;
  std::string name;
};

struct AllOf {
  std::vector<Node> parts;
};
struct AnyOf {
  std::vector<Node> parts;
};
struct Not {
  std::vector<Node> part;  ///< one
};
struct Exists {
  Field field;
};
struct IsIn {
  Field field;
  ValueSet values;
};
struct Compares {
  Field field;
  Comparison comparison = Comparison::less;
  Value value;
};

struct Node {
  std::variant<AllOf, AnyOf, Not, Exists, IsIn, Compares> what;
};

}  // namespace akin::filter
