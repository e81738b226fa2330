// Which words of a text are taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// A set of words of a text of `size` words; empty at first. Ranges must lie within the text.
class TakenWords {
 public:
  explicit TakenWords(std::size_t size) : taken_(size) {}

  /// Words of a range that are not taken.
  [[nodiscard]] std::uint32_t free(WordRange range) const {
    return static_cast<std::uint32_t>(
        std::count(taken_.begin() + range.begin, taken_.begin() + range.end, char{0}));
  }
  void take(WordRange range) { std::fill(taken_.begin() + range.begin, taken_.begin() + range.end, char{1}); }
  void give_back(WordRange range) {
    std::fill(taken_.begin() + range.begin, taken_.begin() + range.end, char{0});
  }
  /// All words that are taken.
  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(std::count(taken_.begin(), taken_.end(), char{1}));
  }

 private:
  std::vector<char> taken_;
};

}  // namespace akin
