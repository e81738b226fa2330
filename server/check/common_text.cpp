#include "server/check/common_text.h"

#include <algorithm>
#include <utility>

namespace akin::check {
namespace {

constexpr std::uint64_t kAtATime = 8;

template <class IsKept>
void keep_if(FeatureSequence& features, const IsKept& is_kept) {
  FeatureSequence kept;
  for (std::size_t i = 0; i < features.hashes.size(); ++i) {
    if (!is_kept(features.hashes[i], features.ranges[i])) continue;
    kept.hashes.push_back(features.hashes[i]);
    kept.ranges.push_back(features.ranges[i]);
  }
  features = std::move(kept);
}

}  // namespace

FeatureSequence common_part(const FeatureSequence& all, const std::vector<Feature>& common) {
  FeatureSequence part;
  part.hashes = all.hashes;
  part.ranges = all.ranges;
  keep_if(part, [&](Feature feature, TextRange) { return std::ranges::binary_search(common, feature); });
  return part;
}

Result<void> cover_common(const Snapshot& snapshot, SearchRequest request, FeatureSequence open,
                          const DocumentNumbers& known, const CommonCover& cover) {
  const auto leave_covered_out = [&] {
    keep_if(open, [&](Feature, TextRange range) { return !cover.is_covered(range); });
  };
  request.common = nullptr;
  request.rules_out = nullptr;  // so that no hits mean that no document has an open seed
  request.bound = 0;
  request.limit = kAtATime;
  request.first_of_equal = true;
  request.evidence = false;
  for (leave_covered_out(); !open.hashes.empty();) {
    const FeatureSequence query = open;
    DocumentNumbers left_out = known;
    request.query = &query;
    request.known = &left_out;
    AKIN_TRY(SearchResult result, snapshot.search(request));
    if (result.hits.empty()) return {};
    std::vector<Feature> tried;
    for (Hit& hit : result.hits) {
      if (open.hashes.empty()) return {};
      AKIN_TRY(const FeatureSequence stored, snapshot.features_beside(hit.document, request.tier, query));
      tried.insert(tried.end(), stored.hashes.begin(), stored.hashes.end());
      AKIN_CHECK(cover.take(std::move(hit)));
      leave_covered_out();
    }
    std::ranges::sort(tried);
    keep_if(open, [&](Feature feature, TextRange) { return !std::ranges::binary_search(tried, feature); });
  }
  return {};
}

}  // namespace akin::check
