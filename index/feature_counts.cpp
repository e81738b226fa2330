#include "index/feature_counts.h"

#include <algorithm>
#include <cassert>

namespace akin {

std::vector<FeatureCount> count_features(std::span<const Feature> features) {
  assert(features.size() <= kMaxFeatures);
  std::vector<Feature> sorted(features.begin(), features.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<FeatureCount> counts;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    counts.push_back({sorted[i], static_cast<std::uint32_t>(end - i)});
    i = end;
  }
  return counts;
}

}  // namespace akin
