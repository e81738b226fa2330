// A multiset of features as sorted (feature, count) pairs: the form in which documents are compared with
// postings and with each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "morph/schemes/scheme.h"

namespace akin {

struct FeatureCount {
  Feature feature{};
  std::uint32_t count = 0;
  friend bool operator==(const FeatureCount&, const FeatureCount&) = default;
};

/// A sequence longer than this cannot be stored or searched: counts are 32 bits wide.
inline constexpr std::uint64_t kMaxFeatures = 0xffffffffU;

/// The distinct features ascending, each with its number of occurrences (at least 1).
/// Requires features.size() <= kMaxFeatures.
[[nodiscard]] std::vector<FeatureCount> count_features(std::span<const Feature> features);

/// Without their counts.
[[nodiscard]] std::vector<Feature> features_of(std::span<const FeatureCount> counts);

}  // namespace akin
