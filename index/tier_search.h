// A search in several tiers of one collection: documents found in a strict tier come first, those found only
// in a looser one after them.
#pragma once

#include <vector>

#include "index/store.h"

namespace akin {

/// The query and bounds for one tier.
struct TierQuery {
  std::size_t tier = 0;  ///< its number in Scheme::tiers()
  FeatureSequence query;
  std::uint64_t bound = 3;       ///< a document is found if X > bound in this tier
  double min_containment = 0.0;  ///< and this containment in it
};

struct TieredRequest {
  std::vector<TierQuery> tiers;  ///< in the order in which they rank; at least one, each tier once
  /// Limit, offset, evidence, best_only, exclude and accept; its query, tier and bounds are ignored.
  SearchRequest page;
};

/// The overlap of the first tier that found a hit. Requires a hit of search_tiers.
[[nodiscard]] const TierOverlap& first_that_found(const Hit& hit) noexcept;

/// Finds the documents that at least one of the tiers finds: SearchResult::total counts each document once,
/// however many tiers find it. Hits are ordered by the first of the tiers that finds them, then as in every
/// search; overlap and passages are that tier's, and Hit::tiers lists all of them. `scheme`: the
/// collection's, with tiers.
///
/// Costs one search in each tier, the records of everything it finds, and reading the sequences of the page.
/// With `page.best_only` only the best are searched for, and a later tier only if the earlier ones do not
/// fill the page. Errors: as Snapshot::search.
[[nodiscard]] Result<SearchResult> search_tiers(const Snapshot& snapshot, const Scheme& scheme,
                                                const TieredRequest& request);

}  // namespace akin
