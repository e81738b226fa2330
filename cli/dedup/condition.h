// When one text covers another, and pairs of which that must be found out.
#pragma once

#include <cstdint>

#include "cli/dedup/corpus.h"
#include "index/overlap/passages.h"

namespace akin::dedup {

/// What a share is a part of.
enum class Measure : std::uint8_t { containment, resemblance };

struct Condition {
  Measure measure = Measure::containment;
  double least = 0.8;  ///< the smallest share by which a text covers another one

  /// The share by which A covers B.
  [[nodiscard]] double share_of(const MatchedWords& words) const noexcept {
    return measure == Measure::containment ? words.b_share() : words.resemblance();
  }
};

/// Two texts of which the preferred one may cover the other.
struct Candidate {
  TextNumber preferred = 0, other = 0;
  double share = 0.0;  ///< by which `preferred` covers `other`; 0: must be measured
};

}  // namespace akin::dedup
