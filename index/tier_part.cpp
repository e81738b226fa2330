#include "index/tier_part.h"

#include <utility>

#include "index/posting.h"
#include "index/ranking.h"
#include "morph/schemes/tiers.h"

namespace akin {

Result<FeatureSequence> part_of_document(FeatureSequence all, const DocumentRecord& record,
                                         std::size_t tier) {
  if (!record.features_in(tier)) return no_such_tier(record.id, tier);
  if (record.all_features() != all.hashes.size()) {
    return corrupt("document '" + record.id + "'",
                   "its record and its sequence have different numbers of features");
  }
  if (record.tier_sizes.empty()) return all;
  return part_in_tier(std::move(all), record.tier_sizes, tier);
}

}  // namespace akin
