#include "index/search/common_features.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace akin {

Result<std::vector<Feature>> CommonFeatures::common_of(std::span<const Feature> features) const {
  std::vector<Feature> distinct(features.begin(), features.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return snapshot_->common_features(distinct, limit_);
}

Result<std::uint64_t> CommonFeatures::leave_out(FeatureSequence& query) const {
  AKIN_TRY(const std::vector<Feature> common, common_of(query.hashes));
  std::size_t kept = 0;
  for (std::size_t at = 0; at < query.hashes.size(); ++at) {
    if (std::ranges::binary_search(common, query.hashes[at])) continue;
    query.hashes[kept] = query.hashes[at];
    query.ranges[kept] = query.ranges[at];
    ++kept;
  }
  const std::uint64_t left_out = query.hashes.size() - kept;
  query.hashes.resize(kept);
  query.ranges.resize(kept);
  return left_out;
}

Result<std::uint64_t> CommonFeatures::remaining(const StoredDocument& document, std::size_t tier) const {
  AKIN_TRY(const FeatureSequence stored, snapshot_->features_in(document, tier));
  AKIN_TRY(const std::vector<Feature> common, common_of(stored.hashes));
  return static_cast<std::uint64_t>(std::ranges::count_if(
      stored.hashes, [&](Feature feature) { return !std::ranges::binary_search(common, feature); }));
}

Result<void> CommonFeatures::leave_out(Hit& hit, std::size_t tier) const {
  if (hit.tiers.empty()) {
    AKIN_TRY(hit.overlap.b_features, remaining(hit.document, tier));
    return {};
  }
  for (TierOverlap& one : hit.tiers) {
    AKIN_TRY(one.overlap.b_features, remaining(hit.document, one.tier));
  }
  hit.overlap.b_features = std::ranges::find(hit.tiers, true, &TierOverlap::found)->overlap.b_features;
  return {};
}

Result<SearchResult> search_beside(CommonSeeds& common, const Snapshot& snapshot, SearchRequest request) {
  for (;;) {
    const bool is_least = common.limit / 2 < kLeastCommon;
    request.common = &common.features;
    request.limit =
        is_least ? std::numeric_limits<std::uint64_t>::max() : kMostCandidates + request.query->hashes.size();
    request.all_or_none = true;
    AKIN_TRY(SearchResult result, snapshot.search(request));
    if (result.total <= request.limit) return result;
    common.limit /= 2;
    AKIN_TRY(common.features, CommonFeatures(snapshot, common.limit).common_of(request.query->hashes));
  }
}

std::vector<TextRange> common_stretches(const FeatureSequence& query, std::span<const Feature> common) {
  std::vector<TextRange> stretches;
  bool goes_on = false;
  for (std::size_t at = 0; at < query.hashes.size(); ++at) {
    const TextRange range = query.ranges[at];
    if (!std::ranges::binary_search(common, query.hashes[at])) {
      goes_on = false;
    } else if (goes_on) {
      stretches.back().end = std::max(stretches.back().end, range.end);
    } else {
      stretches.push_back(range);
      goes_on = true;
    }
  }
  return stretches;
}

}  // namespace akin
