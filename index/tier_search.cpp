#include "index/tier_search.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "index/ranking.h"

namespace akin {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

SearchRequest request_in(const TierQuery& tier, const SearchRequest& page) {
  SearchRequest request = page;
  request.query = &tier.query;
  request.tier = tier.tier;
  request.bound = tier.bound;
  request.min_containment = tier.min_containment;
  request.offset = 0;
  request.evidence = false;
  return request;
}

/// X in every requested tier, and the passages of the one that found the hit.
Result<void> tell_tiers(Hit& hit, std::size_t found_by, const TieredRequest& request,
                        const std::pair<const Snapshot&, const Scheme&>& collection) {
  const auto& [snapshot, scheme] = collection;
  for (std::size_t i = 0; i < request.tiers.size(); ++i) {
    const TierQuery& tier = request.tiers[i];
    Overlap overlap = hit.overlap;
    const bool reads_passages = i == found_by && request.page.evidence;
    if (i != found_by || reads_passages) {
      AKIN_TRY(const FeatureSequence stored, snapshot.features_in(hit.document.id, tier.tier));
      if (reads_passages) hit.passages = shared_passages(tier.query, stored);
      if (i != found_by) overlap = akin::overlap(tier.query.hashes, stored.hashes);
    }
    overlap.has_containment = scheme.tiers()[tier.tier].scheme->has_containment();
    const std::uint64_t least = least_overlap(tier.bound, tier.min_containment, tier.query.hashes.size());
    hit.tiers.push_back({tier.tier, overlap, overlap.x >= least});
  }
  return {};
}

}  // namespace

const TierOverlap& first_that_found(const Hit& hit) noexcept {
  return *std::ranges::find(hit.tiers, true, &TierOverlap::found);
}

Result<SearchResult> search_tiers(const Snapshot& snapshot, const Scheme& scheme,
                                  const TieredRequest& request) {
  const SearchRequest& page = request.page;
  const std::uint64_t wanted = wanted_hits(page);
  SearchResult result;
  result.counted = !page.best_only;
  std::unordered_set<std::string> known;
  std::vector<std::pair<Hit, std::size_t>> found;  // with the index of the tier
  for (std::size_t i = 0; i < request.tiers.size(); ++i) {
    if (page.best_only && found.size() >= wanted) break;
    SearchRequest in_tier = request_in(request.tiers[i], page);
    in_tier.limit = kAll;
    if (page.best_only && wanted < kAll - found.size()) in_tier.limit = wanted + found.size();
    if (request.tiers.size() == 1) in_tier.limit = wanted;
    AKIN_TRY(SearchResult own, snapshot.search(in_tier));
    result.tier_totals.push_back(own.total);
    for (Hit& hit : own.hits) {
      if (known.insert(hit.document.id).second) found.emplace_back(std::move(hit), i);
    }
  }
  result.total = request.tiers.size() == 1 ? result.tier_totals.front() : found.size();
  for (std::uint64_t at = page.offset; at < std::min<std::uint64_t>(wanted, found.size()); ++at) {
    auto& [hit, found_by] = found[at];
    AKIN_CHECK(tell_tiers(hit, found_by, request, {snapshot, scheme}));
    result.hits.push_back(std::move(hit));
  }
  return result;
}

}  // namespace akin
