// Alignment: the passages that two texts share, word by word. docs/alignment.md has the definition, the
// parameters and what was measured.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/text_range.h"
#include "morph/align/align_options.h"
#include "morph/align/chains.h"
#include "morph/align/fragments.h"
#include "morph/align/gram_table.h"
#include "morph/align/seeds.h"
#include "morph/align/word_sequence.h"
#include "morph/align/word_weights.h"

namespace akin {

/// A stretch of A that agrees with a stretch of B but for words inserted, left out, replaced or moved.
struct AlignedPassage {
  WordRange a_words, b_words;
  TextRange a, b;               ///< the same in code points of the original texts
  std::uint32_t a_matched = 0;  ///< words of a_words that lie in a fragment of the passage (fragments.h)
  std::uint32_t b_matched = 0;
  std::vector<Fragment> fragments;  ///< by a, then by b
  friend bool operator==(const AlignedPassage&, const AlignedPassage&) = default;
};

struct Alignment {
  /// By a.begin, then b.begin. They may overlap: a stretch of B that A has twice is in two passages, and in A
  /// the ends of two passages may have words in common.
  std::vector<AlignedPassage> passages;
  /// Words of A that are matched in some passage, each counted once, and the same of B.
  std::uint64_t a_matched = 0, b_matched = 0;
};

/// Aligns one text, A, with any number of others.
///
/// Each passage has at least `run` matched words on either side, and on either side more than `density`
/// percent of its words are matched, and its matched words weigh least_weight of their number or more.
/// Promise: each word of a run of `run` words of A that weighs so much and occurs in B is a matched word of a
/// passage. A passage that shares matched words of A with passages of more matched words is left out if more
/// than half of its own are theirs, unless it has a run of `run` words with one that is not.
///
/// A function of the words of A and B, the weights and the options alone. Const members may be called from
/// any number of threads at once.
class Aligner {
 public:
  /// Requires options.check(). `a` must outlive it. Time: linear in A; memory: about 50 bytes a word.
  Aligner(const WordSequence& a, const AlignOptions& options, WordWeights weights = {});

  /// Time: linear in the words of B and A, plus the sorting of fragments. Memory: 8 bytes for each gram of B
  /// that A has, and 100 a fragment.
  [[nodiscard]] Alignment align(const WordSequence& b) const;

  /// The same but for AlignedPassage::b, which is empty; faster, as words of other classes than A's cost
  /// little.
  [[nodiscard]] Alignment align(const NumberedWords& b) const;

  /// Those of A's words.
  [[nodiscard]] const WordWeights& weights() const noexcept { return weights_; }

  [[nodiscard]] const AlignOptions& options() const noexcept { return options_; }

  /// Whether a passage may lie near one of these seeds of A (Seeds::near_passage).
  [[nodiscard]] bool may_share(const Seeds& seeds, const NumberedWords& b, const GramPlaces* b_grams) const {
    return seeds.near_passage({grams_, classes_}, b, b_grams, options_);
  }

 private:
  template <class Words>
  [[nodiscard]] Alignment choose(const std::vector<Fragment>& fragments, const Words& b) const;
  [[nodiscard]] bool weighs_enough(const Chain& chain) const;
  /// Whether a chain has as many words, or equal words side by side, as `options_` requires.
  template <class Words>
  [[nodiscard]] bool is_long_enough(const Chain& chain, const Words& b) const;

  const WordSequence& a_;
  const AlignOptions options_;
  const WordWeights weights_;
  const GramTable grams_;
  const ClassFilter classes_;
};

}  // namespace akin
