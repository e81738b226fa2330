// How much each word of a text says: numbers in a row, single letters and list marks prove no common origin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// The weight of each word of a text, in thirds of a word.
///
/// - A single letter of an alphabet weighs nothing.
/// - A number weighs what the numbers before it do not predict: the digits of its distance from the nearest
///   of the four numbers before it and of the one that continues the last step, less the last digit; at
///   most kWord. So 1 2 3, 1990 1995 2000 and the same number again weigh nothing, and measurements do.
///   Numbers are words of digits, with up to two letters in three characters (1a, 5th), Roman ones of i, v
///   and x, and two that a point or comma joins (12.5), whose last part has the weight of both.
/// - Any other word weighs kWord, once in a passage, however often it occurs there.
///
/// Immutable. Const members may be called from any number of threads at once.
class WordWeights {
 public:
  static constexpr unsigned kWord = 3;

  /// Every occurrence of every word weighs kWord.
  WordWeights() = default;
  /// `words`: those of `text`, or some of them in order. Time: linear in them.
  WordWeights(std::string_view text, const WordSequence& words);

  /// As a share of kWord, from 0 to 1.
  [[nodiscard]] double share(std::size_t word) const noexcept {
    return weights_.empty() ? 1.0 : static_cast<double>(weights_[word]) / kWord;
  }

  /// Whether the words of the ranges together weigh `least` thirds or more. Ranges may overlap; their words
  /// are counted by class, so a word that is in two of them counts once. `classes`: those of all words.
  [[nodiscard]] bool reach(unsigned least, std::span<const WordRange> ranges,
                           std::span<const std::uint64_t> classes) const;

 private:
  std::vector<std::uint8_t> weights_;  ///< empty: all are kWord
};

}  // namespace akin
