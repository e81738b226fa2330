// The parameters of alignment: docs/alignment.md has what each of them does to the figures.
#pragma once

#include "base/error.h"

namespace akin {

inline constexpr unsigned kMaxPlaces = 1000;
inline constexpr unsigned kMaxGap = 1000;

struct AlignOptions {
  /// k: grams of so many words that A and B have in common begin fragments. 1 to kMaxWindowUnits.
  unsigned seed = 3;
  bool ordered = false;   ///< whether the words of a gram must be in the same order
  unsigned places = 8;    ///< a gram that occurs more often in B begins no fragment; 1 to kMaxPlaces
  unsigned gap = 24;      ///< most words between neighbouring fragments, in A and in B; 0 to kMaxGap
  unsigned density = 40;  ///< more than this share of a passage is matched, in A and in B, in %; 0 to 99
  /// t: fewest matched words of a passage, in A and in B. `seed` to kMaxWindowUnits.
  unsigned run = 12;

  /// Errors: invalid_argument names the option that is out of range.
  [[nodiscard]] Result<void> check() const;
};

}  // namespace akin
