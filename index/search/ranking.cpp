#include "index/search/ranking.h"

#include <cmath>
#include <limits>

#include "index/codec/feature_counts.h"
#include "index/search/sort_large.h"

namespace akin {

Result<void> check_request(const SearchRequest& request) {
  if (request.query == nullptr) return Error{Errc::invalid_argument, "search", "there is no query", ""};
  // Written so that NaN is rejected too.
  if (!(request.min_containment >= 0.0 && request.min_containment <= 1.0)) {
    return Error{Errc::invalid_argument, "min_containment", "not a number from 0 to 1", ""};
  }
  if (request.query->hashes.size() > kMaxFeatures) {
    return Error{Errc::too_large, "query", "more than 4294967295 features", "search with a part of the text"};
  }
  return {};
}

std::uint64_t least_overlap(std::uint64_t bound, double min_containment, std::uint64_t query_features) {
  if (bound >= query_features) return query_features + 1;
  const auto enough = [&](std::uint64_t x) {
    return Overlap{x, query_features, 0}.containment() >= min_containment;
  };
  // The quotient grows with x; the product lands within a step or two of the smallest x.
  auto x = static_cast<std::uint64_t>(std::floor(min_containment * static_cast<double>(query_features)));
  while (x > 0 && enough(x - 1)) --x;
  while (x <= query_features && !enough(x)) ++x;
  return std::max(x, bound + 1);
}

std::uint64_t wanted_hits(const SearchRequest& request) noexcept {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  return request.limit > kAll - request.offset ? kAll : request.offset + request.limit;
}

bool better_hit(const Hit& left, const Hit& right) noexcept {
  const Overlap& l = left.overlap;
  const Overlap& r = right.overlap;
  if (l.x != r.x) return l.x > r.x;
  // For equal x the share of B that is in A falls as |B| grows.
  if (l.b_features != r.b_features) return l.b_features < r.b_features;
  return left.document.id < right.document.id;
}

Error no_such_tier(std::string_view id, std::size_t tier) {
  return Error{Errc::invalid_argument, "tier " + std::to_string(tier + 1),
               "document '" + std::string(id) + "' was stored without it", "name a tier of the collection"};
}

Result<void> take_page(std::vector<Hit> hits, const SearchRequest& request, const SequenceOfHit& sequence_of,
                       SearchResult& result) {
  stable_sort_large(hits, better_hit);
  const std::uint64_t end = std::min<std::uint64_t>(wanted_hits(request), hits.size());
  result.hits.reserve(end - std::min(end, request.offset));
  for (std::uint64_t at = request.offset; at < end; ++at) {
    Hit& hit = hits[at];
    if (request.evidence) {
      AKIN_TRY(const FeatureSequence stored, sequence_of(std::span(hits).subspan(at, end - at)));
      hit.passages = shared_passages(*request.query, stored);
    }
    result.hits.push_back(std::move(hit));
  }
  return {};
}

}  // namespace akin
