#include "index/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/overlap_sums.h"
#include "index/postings.h"

namespace akin {

namespace {

Result<void> check_request(const SearchRequest& request) {
  if (request.query == nullptr) return Error{Errc::invalid_argument, "search", "there is no query", ""};
  // Written so that NaN is refused too.
  if (!(request.min_containment >= 0.0 && request.min_containment <= 1.0)) {
    return Error{Errc::invalid_argument, "min_containment", "not a number from 0 to 1", ""};
  }
  if (request.query->hashes.size() > kMaxFeatures) {
    return Error{Errc::too_large, "query", "more than 4294967295 features", "search with a part of the text"};
  }
  return {};
}

Result<std::vector<Candidate>> find_candidates(Reading reading, const SearchRequest& request,
                                               std::uint64_t least) {
  AKIN_TRY(const Counters counters, read_counters(reading.txn, reading.tables));
  AKIN_TRY(const std::optional<DocNumber> excluded,
           find_number(reading.txn, reading.tables, request.exclude));
  AKIN_TRY(LmdbPostingCursor list, LmdbPostingCursor::make(reading.txn, reading.tables));
  OverlapSums sums(counters.next_document);
  for (const FeatureCount& query : count_features(request.query->hashes)) {
    list.open(query.feature);
    if (!sums.add(query.count, list)) {
      return corrupt(name_of(query.feature), "a posting names a document number that was never given out");
    }
    AKIN_CHECK(list.status());
  }
  return sums.at_least(least, excluded.value_or(kEnd));
}

/// Drops candidates that cannot be among the best `wanted`, by x alone: records need not be read for them.
void keep_best(std::vector<Candidate>& candidates, std::uint64_t wanted) {
  if (wanted >= candidates.size()) return;
  if (wanted == 0) return candidates.clear();
  const auto by_x = [](const Candidate& left, const Candidate& right) { return left.x > right.x; };
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
  std::nth_element(candidates.begin(), last, candidates.end(), by_x);
  const std::uint32_t least = last->x;
  std::erase_if(candidates, [least](const Candidate& candidate) { return candidate.x < least; });
}

struct Ranked {
  DocNumber number{};
  Hit hit;
};

/// For equal x the share of B that is in A falls as |B| grows.
bool better(const Ranked& left, const Ranked& right) {
  const Overlap& l = left.hit.overlap;
  const Overlap& r = right.hit.overlap;
  if (l.x != r.x) return l.x > r.x;
  if (l.b_features != r.b_features) return l.b_features < r.b_features;
  return left.hit.document.id < right.hit.document.id;
}

}  // namespace

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

Result<SearchResult> search(Reading reading, const SearchRequest& request) {
  AKIN_CHECK(check_request(request));
  const std::uint64_t query_features = request.query->hashes.size();
  const std::uint64_t least = least_overlap(request.bound, request.min_containment, query_features);
  SearchResult result;
  if (least > query_features) return result;

  AKIN_TRY(std::vector<Candidate> candidates, find_candidates(reading, request, least));
  result.total = candidates.size();
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t end = request.limit > kAll - request.offset ? kAll : request.offset + request.limit;
  if (request.limit == 0 || request.offset >= result.total) return result;
  keep_best(candidates, end);

  std::vector<Ranked> ranked;
  ranked.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    AKIN_TRY(DocumentRecord record, read_record(reading, candidate.document));
    const Overlap overlap{candidate.x, query_features, record.features};
    ranked.push_back({candidate.document, {std::move(record), overlap, {}}});
  }
  std::sort(ranked.begin(), ranked.end(), better);

  for (std::uint64_t i = request.offset; i < std::min<std::uint64_t>(end, ranked.size()); ++i) {
    Hit& hit = ranked[i].hit;
    if (request.evidence) {
      AKIN_TRY(const FeatureSequence stored, read_sequence(reading, ranked[i].number));
      hit.passages = shared_passages(*request.query, stored);
    }
    result.hits.push_back(std::move(hit));
  }
  return result;
}

}  // namespace akin
