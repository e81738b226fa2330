#include "server/api/search_query.h"

#include <utility>

namespace akin::api {

namespace {

/// Fills in what `read` returns for each tier, or for the collection's own features.
template <class Read>
Result<void> fill_in(SearchQuery& query, const Read& read) {
  for (TierQuery& tier : query.tiers) {
    AKIN_TRY(tier.query, read(tier.tier));
  }
  if (query.tiers.empty()) {
    AKIN_TRY(query.features, read(0));
  }
  return {};
}

}  // namespace

Result<SearchQuery> blank_query(const Scheme& scheme, const std::vector<TierChoice>& tiers,
                                const SearchRequest& page) {
  SearchQuery query;
  if (!tiers.empty()) {
    AKIN_TRY(query.tiers, tier_queries(scheme, tiers, page));
  }
  return query;
}

Result<void> analyze_query(SearchQuery& query, const Collection& collection, std::string_view text) {
  return fill_in(query, [&](std::size_t tier) { return collection.analyze_in(text, tier); });
}

Result<void> read_query(SearchQuery& query, const Snapshot& snapshot, std::string_view id) {
  return fill_in(query, [&](std::size_t tier) { return snapshot.features_in(id, tier); });
}

Result<SearchResult> find_similar(const Snapshot& snapshot, const Scheme& scheme, const SearchQuery& query,
                                  SearchRequest page) {
  page.query = &query.reported();
  if (query.tiers.empty()) return snapshot.search(page);
  return search_tiers(snapshot, scheme, {query.tiers, std::move(page)});
}

}  // namespace akin::api
