// The runs of words that a short text has in common with others, by the codes of their words (word_codes.h).
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// Const members may be called from any number of threads at once.
class CodedRuns {
 public:
  /// Of a text's words; runs have `run` words or more, at least 2.
  CodedRuns(std::span<const std::uint64_t> classes, unsigned run);

  /// The runs of the text's codes that occur in `codes`: ascending, of those that overlap or touch one. Every
  /// run of words that both texts have lies in one of them; one that only the codes have in common is there
  /// by chance. Of codes with many runs not all are there. Reads one of `run` - 1 codes, and more where two
  /// in a row are in the text.
  [[nodiscard]] std::vector<WordRange> find(std::string_view codes) const;

 private:
  using Pair = std::uint16_t;  ///< two codes in a row
  [[nodiscard]] static Pair pair_at(std::string_view codes, std::size_t word) noexcept {
    return static_cast<Pair>(static_cast<unsigned char>(codes[word]) |
                             static_cast<unsigned char>(codes[word + 1]) << 8U);
  }

  unsigned run_;
  std::string codes_;
  std::bitset<std::size_t{1} << 16U> pairs_;
  std::vector<std::pair<Pair, std::uint32_t>> places_;  ///< of pairs: their first words; ascending
};

}  // namespace akin
