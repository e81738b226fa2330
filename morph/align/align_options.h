// The parameters of alignment: docs/alignment.md has what each of them does to the figures.
#pragma once

#include "base/error.h"

namespace akin {

inline constexpr unsigned kMaxPlaces = 1000;
inline constexpr unsigned kMaxGap = 1000;

/// How short a passage may be asked for, how long, and what it has if nobody asks, in words.
inline constexpr unsigned kLeastPassageWords = 4;
inline constexpr unsigned kMostPassageWords = 1000;
inline constexpr unsigned kPassageWords = 12;

/// Words of A between matched ones of a passage count as shared if they are this many or fewer: a word that
/// was replaced or added. More are A's own.
inline constexpr unsigned kCountedGap = 5;

struct AlignOptions {
  /// k: grams of so many words that A and B have in common begin fragments. 1 to kMaxWindowUnits.
  unsigned seed = 3;
  bool ordered = false;   ///< whether the words of a gram must be in the same order
  unsigned places = 8;    ///< a gram that occurs more often in B begins no fragment; 1 to kMaxPlaces
  unsigned gap = 24;      ///< most words between neighbouring fragments, in A and in B; 0 to kMaxGap
  unsigned density = 40;  ///< more than this share of a passage is matched, in A and in B, in %; 0 to 99
  /// t: fewest matched words of a passage, in A and in B. `seed` to kMaxWindowUnits.
  unsigned run = kPassageWords;
  /// A passage of fewer matched words than this, in A or in B, has `run` equal words side by side. Over 0,
  /// grams are taken in order. 0 to kMostPassageWords.
  unsigned scattered = 0;
  unsigned words = 0;  ///< fewest matched words of a passage, if more than `run`; 0 to kMostPassageWords

  /// For passages of so many words or more, kLeastPassageWords to kMostPassageWords: those of fewer than
  /// kPassageWords are exact runs.
  [[nodiscard]] static constexpr AlignOptions for_words(unsigned words) noexcept {
    AlignOptions options;
    options.words = words;
    if (words >= kPassageWords) return options;
    options.run = words;
    options.scattered = kPassageWords;
    return options;
  }

  /// The least weight of a passage of so many matched words, in thirds of a word (word_weights.h): that of
  /// half of them, and of six at most.
  [[nodiscard]] static constexpr unsigned least_weight(unsigned matched) noexcept {
    return (matched < kPassageWords ? matched : kPassageWords) / 2 * 3;
  }

  /// Errors: invalid_argument names the option that is out of range.
  [[nodiscard]] Result<void> check() const;
};

}  // namespace akin
