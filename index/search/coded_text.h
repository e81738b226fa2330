// A text by the codes of its words (word_codes.h), to see which others share no passage with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "morph/align/align_options.h"
#include "morph/align/hash_filter.h"
#include "morph/align/seeds.h"

namespace akin {

/// Immutable. Const members may be called from any number of threads at once. Memory: 1 byte a word,
/// and 12 a seed.
class CodedText {
 public:
  /// Of a text's words and its seeds.
  CodedText(std::span<const std::uint64_t> classes, const Seeds& seeds, const AlignOptions& options);

  /// What Seeds::near_passage says of words, by their codes, with grams in any order: true wherever that is,
  /// and hardly anywhere else. Time: linear in the codes, and in the seeds that they share.
  [[nodiscard]] bool may_share(std::string_view codes) const;
  /// The same by those of the seeds that begin at these words of the text.
  [[nodiscard]] bool may_share(std::string_view codes, std::span<const std::uint32_t> seeds) const;

 private:
  /// The sum of a gram in its upper half, the gram's first word in the lower one. A gram has the sum of a
  /// number for each code, so that sums of different grams are equal by chance.
  using PlacedSum = std::uint64_t;

  /// Whether as many words of `b` around the seed there as a passage has lie in grams around the one in A.
  [[nodiscard]] bool is_near(std::uint32_t in_a, std::uint32_t in_b, std::string_view b) const;
  /// The sum of the seed at a word.
  [[nodiscard]] std::uint32_t seed_sum(std::string_view codes, std::size_t word) const;

  std::string codes_;
  unsigned gram_, run_;
  unsigned length_;                   ///< words from the first to the last one of a seed
  std::vector<std::size_t> offsets_;  ///< of a seed's words from the first
  HashFilter seed_filter_;
  std::vector<PlacedSum> seeds_;  ///< ascending
};

}  // namespace akin
