#include "morph/schemes/feature_sample.h"

#include <algorithm>
#include <tuple>

namespace akin {

void FeatureSampler::take_small(std::uint64_t value, TextRange range) {
  small_.push_back({value, place_, range});
  if (small_.size() >= 2 * sample_.size) prune();
}

void FeatureSampler::prune() {
  const auto by_value = [](const Small& left, const Small& right) {
    return std::tie(left.value, left.place) < std::tie(right.value, right.place);
  };
  std::ranges::sort(small_, by_value);
  const auto same = [](const Small& left, const Small& right) { return left.value == right.value; };
  small_.erase(std::unique(small_.begin(), small_.end(), same), small_.end());
  if (small_.size() < sample_.size) return;
  small_.resize(sample_.size);
  full_ = true;
  limit_ = small_.back().value;
}

void FeatureSampler::finish() {
  if (sample_.kind != FeatureSample::Kind::smallest) return;
  prune();
  std::ranges::sort(small_, {}, &Small::place);
  for (const Small& kept : small_) append(kept.value, kept.range);
}

}  // namespace akin
