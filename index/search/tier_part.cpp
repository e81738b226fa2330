#include "index/search/tier_part.h"

#include <utility>

#include "index/codec/posting.h"
#include "index/search/ranking.h"
#include "morph/schemes/tiers.h"

namespace akin {

Result<std::uint64_t> size_in_tier(const DocumentRecord& record, std::size_t tier) {
  const std::optional<std::uint64_t> size = record.features_in(tier);
  if (!size) return no_such_tier(record.id, tier);
  return *size;
}

Result<FeatureSequence> part_of_document(FeatureSequence all, const DocumentRecord& record,
                                         std::size_t tier) {
  AKIN_CHECK(size_in_tier(record, tier));
  if (record.all_features() != all.hashes.size()) {
    return corrupt("document '" + record.id + "'",
                   "its record and its sequence have different numbers of features");
  }
  if (record.tier_sizes.empty()) return all;
  return part_in_tier(std::move(all), record.tier_sizes, tier);
}

}  // namespace akin
