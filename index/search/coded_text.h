// A text by the codes of its words (word_codes.h), to see which others share no passage with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "morph/align/align_options.h"
#include "morph/align/hash_filter.h"
#include "morph/align/seeds.h"

namespace akin {

/// Immutable. Const members may be called from any number of threads at once. Memory: 12 bytes a word.
class CodedText {
 public:
  /// Of a text's words and its seeds.
  CodedText(std::span<const std::uint64_t> classes, const Seeds& seeds, const AlignOptions& options);

  /// What Seeds::near_passage says of words, by their codes, with grams in any order: true wherever that is,
  /// and hardly anywhere else. Time: linear in the codes, and in the seeds that they share.
  [[nodiscard]] bool may_share(std::string_view codes) const;

 private:
  /// A number for each code; a gram has the sum of its own. Sums of different grams are equal by chance.
  using Numbers = std::span<const std::uint32_t>;
  /// The sum of a gram in its upper half, the gram's first word in the lower one.
  using PlacedSum = std::uint64_t;

  /// Whether as many words of `b` around the seed there as a passage has lie in grams around the one in A.
  [[nodiscard]] bool is_near(std::uint32_t in_a, std::uint32_t in_b, Numbers b) const;

  std::size_t words_;
  unsigned gram_, run_;
  unsigned length_;                   ///< words from the first to the last one of a seed
  std::vector<std::size_t> offsets_;  ///< of a seed's words from the first
  HashFilter seed_filter_, gram_filter_;
  std::vector<PlacedSum> seeds_, grams_;  ///< ascending
};

}  // namespace akin
