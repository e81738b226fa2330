// Slices of a text by code points.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin {

/// A text that is sliced at many places: each slice costs a bounded walk instead of one from the start.
class SlicedText {
 public:
  /// Keeps a view; requires well-formed UTF-8.
  explicit SlicedText(std::string_view utf8);
  [[nodiscard]] std::string_view slice(TextRange range) const;
  [[nodiscard]] std::string_view whole() const noexcept { return utf8_; }

 private:
  std::string_view utf8_;
  std::vector<std::size_t> marks_;  ///< code points that begin before every kStep-th byte
};

}  // namespace akin
