#include "tests/bench/all_pairs.h"

#include <limits>

#include "tests/bench/bench.h"

namespace akin::bench {

void all_pairs(const Snapshot& snapshot, const PairsWanted& wanted,
               const std::function<void(const SimilarPair&)>& visit) {
  PairsRequest request;
  request.condition = {wanted.bound, wanted.min_containment, 0};
  request.memory = wanted.memory;
  need(snapshot.pairs(request, [&](const DocumentPair& pair) -> Result<void> {
    visit({pair.a, pair.b, pair.overlap});
    return {};
  }));
}

void pairs_by_searches(const Snapshot& snapshot, const PairsWanted& wanted,
                       const std::function<void(const SimilarPair&)>& visit) {
  constexpr std::size_t kPage = 1000;
  std::string after;
  for (;;) {
    const std::vector<StoredDocument> page = need(snapshot.list(after, kPage));
    if (page.empty()) return;
    for (const DocumentRecord& document : page) {
      const FeatureSequence features = need(snapshot.features(document.id));
      SearchRequest request;
      request.query = &features;
      request.bound = wanted.bound;
      request.min_containment = wanted.min_containment;
      request.limit = std::numeric_limits<std::uint64_t>::max();
      request.exclude = {document.id};
      const SearchResult found = need(snapshot.search(request));
      for (const Hit& hit : found.hits) {
        // The search from the other side finds the pair too if the other has enough of itself in this one.
        const bool twice = hit.overlap.contained() >= wanted.min_containment;
        if (!twice || document.id < hit.document.id) visit({document.id, hit.document.id, hit.overlap});
      }
    }
    after = page.back().id;
  }
}

}  // namespace akin::bench
