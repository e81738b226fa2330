// Evidence: the stretches of two texts that contain the shared features.
#pragma once

#include <cstdint>
#include <vector>

#include "base/text_range.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// A stretch of `features` adjacent features of A that occurs, in the same order, in B. Ranges are in code
/// points of the original texts.
struct Passage {
  TextRange a;
  TextRange b;
  std::uint64_t features = 0;
};

/// Pairs every shared occurrence of A with one of B, each used once, runs kept together: the sum of
/// `features` over the passages is exactly X(A,B). Sorted by a.begin. Time O(|A| + |B|).
[[nodiscard]] std::vector<Passage> shared_passages(const FeatureSequence& a, const FeatureSequence& b);

}  // namespace akin
