// Ranges of a text in code points.
#pragma once

#include <cstdint>

namespace akin {

/// Half-open range [begin, end) of an original text, in Unicode code points (not bytes, not UTF-16 units).
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const TextRange&, const TextRange&) = default;
};

}  // namespace akin
