// A look around the seeds that two texts share, which costs a part of aligning them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "morph/align/align_options.h"
#include "morph/align/class_filter.h"
#include "morph/align/gram_table.h"
#include "morph/align/hash_filter.h"
#include "morph/align/word_sequence.h"

namespace akin {

class GramPlaces;

/// So many words before and behind a shared seed are looked at, in A and in B.
inline constexpr std::uint32_t kSeedSurroundings = 60;

/// These words around a seed of `length` words, in a text of `words` words.
[[nodiscard]] constexpr WordRange around_seed(std::uint32_t seed, unsigned length,
                                              std::size_t words) noexcept {
  return {seed > kSeedSurroundings ? seed - kSeedSurroundings : 0,
          static_cast<std::uint32_t>(
              std::min<std::size_t>(words, std::size_t{seed} + length + kSeedSurroundings))};
}

/// The seeds of a text A: some of its grams of one shape (shape_in_a_row). Const members may be called from
/// any number of threads at once.
class Seeds {
 public:
  /// All grams of A, and its classes.
  struct Grams {
    const GramTable& grams;
    const ClassFilter& classes;
  };

  /// `places`: their first words.
  Seeds(std::span<const std::uint64_t> words, std::span<const std::uint32_t> places, std::uint64_t shape);

  /// Whether B has a seed with a passage near it, or may have: at least `run` words of B, at most
  /// kSeedSurroundings words from the seed there, lie in grams of `seed` words that A has as near its own. So
  /// false means that no run of `run` words which A and B have in common has a seed, and no passage has one
  /// that ends as near. `a`: all grams of A, by `options`, with its classes; `b_grams`: B's of the shape, or
  /// null. Time: linear in B, with its grams in the seeds; what grows with the shared seeds ends after
  /// kMostLooks of them, with true.
  [[nodiscard]] bool near_passage(const Grams& a, const NumberedWords& b, const GramPlaces* b_grams,
                                  const AlignOptions& options) const;

  [[nodiscard]] std::uint64_t shape() const noexcept { return shape_; }
  /// The hash and the first word of each of them, ascending.
  using Place = std::pair<std::uint64_t, std::uint32_t>;
  [[nodiscard]] std::span<const Place> places() const noexcept { return places_; }
  /// Whether to look for each of them costs less than to read a text of so many words.
  [[nodiscard]] bool are_few_beside(std::size_t words) const noexcept {
    constexpr std::size_t kWordsPerLook = 64;
    return kWordsPerLook * places_.size() < words;
  }

  static constexpr std::size_t kMostLooks = 512;

 private:
  std::uint64_t shape_;
  unsigned length_;  ///< words from the first to the last one of a gram
  HashFilter hashes_;
  std::vector<Place> places_;
};

}  // namespace akin
