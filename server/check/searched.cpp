#include "server/check/searched.h"

#include <algorithm>

#include "server/check/common_text.h"

namespace akin::check {

Result<void> Searched::choose(const SearchedCollection& collection, const TextAligner* aligner,
                              IndexState& state) {
  rare_.clear();
  aside_.clear();
  if (!policy_.common_limit) {
    if (!collection.aligned) return {};
    for (const SearchedTier& tier : collection.tiers) {
      const FeatureSequence& compared = compared_[tier.analysis].features;
      AKIN_TRY(std::vector<Feature> aside,
               CommonFeatures(*collection.snapshot, kCommonDocuments).common_of(compared.hashes));
      if (!tier.verified) {
        const auto slight = aligner->slight_features(compared);
        aside.insert(aside.end(), slight.begin(), slight.end());
        std::ranges::sort(aside);
      }
      aside_[tier.tier].features = std::move(aside);
    }
    return {};
  }
  const CommonFeatures common(*collection.snapshot, *policy_.common_limit);
  state.common = 0;
  for (const SearchedTier& tier : collection.tiers) {
    FeatureSequence& rare = rare_[tier.tier];
    rare = compared_[tier.analysis].features;
    AKIN_TRY(const std::uint64_t left_out, common.leave_out(rare));
    *state.common += left_out;
  }
  return {};
}

const FeatureSequence& Searched::in(const SearchedTier& tier) const {
  const auto rare = rare_.find(tier.tier);
  return rare == rare_.end() ? compared_[tier.analysis].features : rare->second;
}

CommonSeeds& Searched::set_aside_in(const SearchedTier& tier) { return aside_[tier.tier]; }

}  // namespace akin::check
