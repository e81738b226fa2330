// The query of a search, as the API and the command line make it: the features of a text or of a stored
// document, in each tier that the search names.
#pragma once

#include <string_view>
#include <vector>

#include "index/collection.h"
#include "index/tier_search.h"
#include "server/api/tier_options.h"

namespace akin::api {

struct SearchQuery {
  FeatureSequence features;      ///< empty if there are tiers
  std::vector<TierQuery> tiers;  ///< of a search that names tiers

  /// The features that the answer describes: those of the first tier, if there are tiers.
  [[nodiscard]] const FeatureSequence& reported() const {
    return tiers.empty() ? features : tiers.front().query;
  }
};

/// A query without features: in the chosen tiers, or in the collection's own features if none is chosen.
/// Errors: as tier_queries.
[[nodiscard]] Result<SearchQuery> blank_query(const Scheme& scheme, const std::vector<TierChoice>& tiers,
                                              const SearchRequest& page);

/// Fills in the features of a text. Call it before a snapshot is opened, because an open snapshot prevents
/// the reuse of pages. Errors: as Collection::analyze_in.
[[nodiscard]] Result<void> analyze_query(SearchQuery& query, const Collection& collection,
                                         std::string_view text);

/// Fills in the features of a stored document. Errors: as Snapshot::features_in.
[[nodiscard]] Result<void> read_query(SearchQuery& query, const Snapshot& snapshot, std::string_view id);

/// Searches one collection, in the query's tiers if there are any. `page`: the query in it is not read.
/// Errors: as Snapshot::search.
[[nodiscard]] Result<SearchResult> find_similar(const Snapshot& snapshot, const Scheme& scheme,
                                                const SearchQuery& query, SearchRequest page);

}  // namespace akin::api
