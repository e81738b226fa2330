// Which grams a text has, to see whether another text is the same work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "morph/align/word_sequence.h"

namespace akin {

/// The different grams of a text, kGram words in a row in any order, by their hashes; of a long text one in
/// sixteen, by its hash. Immutable.
class GramSample {
 public:
  static constexpr unsigned kGram = 5;
  static constexpr std::size_t kLongText = 16'384;  ///< words; of more not all grams are taken

  /// Time: linear in the words.
  explicit GramSample(const NumberedWords& words);

  /// Whether both have at least this share of the grams of that one which has fewer, and any at all. If not
  /// all grams of one of them are known, as many of the other count.
  [[nodiscard]] bool shares(double share, const GramSample& other) const;

  /// The memory for a long text of so many words, at most, unless its words are chosen for their hashes.
  [[nodiscard]] static std::size_t bytes_of(std::size_t words) noexcept {
    return words / kOneIn * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::size_t kOneIn = 16;
  static constexpr std::uint64_t kLast = ~std::uint64_t{0} / kOneIn;
  std::vector<std::uint64_t> hashes_;  ///< ascending, each once
  bool is_sampled_;                    ///< only those up to kLast
};

}  // namespace akin
