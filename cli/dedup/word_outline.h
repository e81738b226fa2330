// What is remembered of a text's words to bound how many of them another text has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin::dedup {

/// Some bits of the class of each word: two to four bytes a word. Comparing two costs a nanosecond a word.
class WordOutline {
 public:
  explicit WordOutline(const NumberedWords& words);

  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  /// Some bits of the class of each word.
  [[nodiscard]] std::span<const std::uint16_t> words() const noexcept { return words_; }
  /// At least as many as those of the words whose class `other` has; beside them about one in ten of the
  /// rest.
  /// `step`: of a sample alone, one word in so many.
  [[nodiscard]] std::size_t at_most_in(const WordOutline& other, std::size_t step = 1) const noexcept;
  /// The memory that it takes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  std::vector<std::uint16_t> words_;    ///< the low bits of the class of each
  std::vector<std::uint64_t> classes_;  ///< a bit for each class, at its low bits
};

}  // namespace akin::dedup
