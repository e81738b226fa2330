// Which candidates of a verified tier are hits, by what their texts share with the query.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "index/search/stored_matches.h"
#include "index/search/tier_search.h"

namespace akin {

/// Whether a hit's texts share enough words for the tier (is_reuse), as far as they were matched.
[[nodiscard]] inline bool is_verified(const Hit& hit, const TierQuery& tier) {
  return hit.words && is_reuse(*hit.words, tier);
}

[[nodiscard]] inline bool shows_alignment(const TieredRequest& request) {
  return request.page.evidence && request.aligns;
}

/// Keeps the hits whose texts share enough with the query, most rare words first. Adds to `common` what the
/// others share that are not `known`; keeps the matches of what may be shown. Errors: as WordCache::words.
[[nodiscard]] Result<void> keep_verified(const Snapshot& snapshot, const TieredRequest& request,
                                         const TierQuery& tier,
                                         const std::unordered_set<std::uint64_t>& known,
                                         std::vector<Hit>& hits, KeptMatches& matches,
                                         std::optional<CommonText>& common);

}  // namespace akin
