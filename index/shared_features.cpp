#include "index/shared_features.h"

namespace akin {

Result<Overlap> overlap_in(const Snapshot& snapshot, std::string_view id, std::size_t tier,
                           std::span<const Feature> query) {
  if (const auto* const counting = dynamic_cast<const SharedFeatures*>(&snapshot))
    return counting->overlap_in(id, tier, query);
  AKIN_TRY(const FeatureSequence stored, snapshot.features_in(id, tier));
  return overlap(query, stored.hashes);
}

Result<FeatureSequence> features_beside(const Snapshot& snapshot, std::string_view id, std::size_t tier,
                                        const FeatureSequence& query) {
  if (const auto* const counting = dynamic_cast<const SharedFeatures*>(&snapshot))
    return counting->features_beside(id, tier, query);
  return snapshot.features_in(id, tier);
}

}  // namespace akin
