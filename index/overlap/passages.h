// Evidence: the stretches of two texts that contain the shared features.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/text_range.h"
#include "morph/align/differences.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// By kind of change (ChangeKind) how many words of A it concerns, of B if they are inserted.
using ChangeCounts = std::array<std::uint64_t, kChangeKinds>;

/// A stretch of A that occurs in B. Ranges are in code points of the original texts.
struct Passage {
  TextRange a;
  TextRange b;
  /// Adjacent features of A that occur, in the same order, in B; 0 if alignment found the passage.
  std::uint64_t features = 0;
  /// Words of A that alignment matched (AlignedPassage::a_matched); 0 if the passage is one of features.
  std::uint64_t words = 0;
  ChangeCounts changes{};  ///< of an aligned passage
  /// The stretches of an aligned passage that only A has: more than kCountedGap words between matched ones.
  std::vector<TextRange> gaps = {};
};

/// How many of the words of two texts lie in a passage that they share.
struct MatchedWords {
  std::uint64_t a = 0, b = 0;              ///< matched words of A and of B, each counted once
  std::uint64_t a_words = 0, b_words = 0;  ///< all words
  double bits = 0;       ///< how improbable the most improbable of the passages is; 0 if not measured
  double rare_bits = 0;  ///< the same by the words that few works have; 0 if not measured

  [[nodiscard]] double a_share() const noexcept { return share(a, a_words); }  ///< in [0,1]; 0 of no words
  [[nodiscard]] double b_share() const noexcept { return share(b, b_words); }
  [[nodiscard]] double larger_share() const noexcept { return std::max(a_share(), b_share()); }
  /// As Overlap::resemblance, the mean of `a` and `b` being what is shared.
  [[nodiscard]] double resemblance() const noexcept { return share(a + b, 2 * (a_words + b_words) - a - b); }

 private:
  static double share(std::uint64_t part, std::uint64_t whole) noexcept {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// Pairs every shared feature of A with one of B, each used once, runs kept together: the sum of
/// `features` over the passages is exactly X(A,B). Sorted by a.begin. Time O(|A| + |B|).
[[nodiscard]] std::vector<Passage> shared_passages(const FeatureSequence& a, const FeatureSequence& b);

}  // namespace akin
