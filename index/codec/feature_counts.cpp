#include "index/codec/feature_counts.h"

#include <cassert>

#include "base/radix_sort.h"

namespace akin {

std::vector<FeatureCount> count_features(std::span<const Feature> features) {
  assert(features.size() <= kMaxFeatures);
  std::vector<Feature> sorted(features.begin(), features.end());
  radix_sort(std::span(sorted), [](Feature feature) { return static_cast<std::uint64_t>(feature); });
  std::vector<FeatureCount> counts;
  counts.reserve(sorted.size());
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    counts.push_back({sorted[i], static_cast<std::uint32_t>(end - i)});
    i = end;
  }
  return counts;
}

std::vector<Feature> features_of(std::span<const FeatureCount> counts) {
  std::vector<Feature> features;
  features.reserve(counts.size());
  for (const FeatureCount& one : counts) features.push_back(one.feature);
  return features;
}

}  // namespace akin
