#pragma once

#include <string>
#include <string_view>

namespace akin::test {

/// "d7" for ("d", 7). GCC 12 at -O3 warns wrongly of overlapping copies where a literal and a number are
/// joined by `+`.
template <class Number>
std::string numbered(std::string_view prefix, Number number) {
  std::string name(prefix);
  name.append(std::to_string(number));
  return name;
}

}  // namespace akin::test
