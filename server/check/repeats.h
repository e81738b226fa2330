// Passages that a text has twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin::check {

/// The same run of words, by their lemmas, at two places that do not overlap; as long as it can be.
struct Repeat {
  TextRange first, again;  ///< `first` is the earliest place that has it
  std::size_t words = 0;

  friend bool operator==(const Repeat&, const Repeat&) = default;
};

/// All runs of `least` words and more that occur earlier in the text, too, in the order of `again`. Takes
/// time and memory proportional to the words. Requires least > 0.
[[nodiscard]] std::vector<Repeat> find_repeats(const WordSequence& words, std::size_t least);

}  // namespace akin::check
