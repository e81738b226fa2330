// A search in several tiers of one collection: who is found in a strict tier comes first, who is found only
// in a looser one behind.
#pragma once

#include <vector>

#include "index/store.h"

namespace akin {

/// What is asked of one tier.
struct TierQuery {
  std::size_t tier = 0;  ///< its number in Scheme::tiers()
  FeatureSequence query;
  std::uint64_t bound = 3;       ///< found is what has X > bound in this tier
  double min_containment = 0.0;  ///< and this containment in it
};

struct TieredRequest {
  std::vector<TierQuery> tiers;  ///< in the order in which they rank; at least one, each tier once
  /// Limit, offset, evidence, best_only, exclude and accept; its query, tier and bounds are not read.
  SearchRequest page;
};

/// What the first tier that found a hit has in common. Requires a hit of search_tiers.
[[nodiscard]] const TierOverlap& first_that_found(const Hit& hit) noexcept;

/// Finds what at least one of the tiers finds: SearchResult::total counts each document once, whatever finds
/// it. Hits are ordered by the first of the tiers that finds them, then as in every search; overlap and
/// passages are that tier's, and Hit::tiers tells all of them. `scheme`: the collection's, with tiers.
///
/// Costs one search in each tier, with the records of all that it finds, and the reading of the page's
/// sequences. With `page.best_only` only the best are searched for, and a later tier only if the earlier ones
/// do not fill the page. Errors: as Snapshot::search.
[[nodiscard]] Result<SearchResult> search_tiers(const Snapshot& snapshot, const Scheme& scheme,
                                                const TieredRequest& request);

}  // namespace akin
