// Exact search: every document with X > bound, best first.
#pragma once

#include <algorithm>
#include <vector>

#include "index/lmdb/reading.h"
#include "index/store.h"

namespace akin {

/// The answer to a request as of the transaction. Errors: invalid_argument (no query, min_containment not in
/// [0,1]), too_large (more than kMaxFeatures features), corrupt.
[[nodiscard]] Result<SearchResult> search(Reading reading, const SearchRequest& request);

/// The errors of a request that `search` refuses whatever is stored.
[[nodiscard]] Result<void> check_request(const SearchRequest& request);

/// Offset and limit together, not beyond the largest number.
[[nodiscard]] std::uint64_t wanted_hits(const SearchRequest& request) noexcept;

/// Drops candidates, each with its `x`, that cannot be among the best `wanted`, by x alone: records need not
/// be read for them.
template <class Candidates>
void keep_best(Candidates& candidates, std::uint64_t wanted) {
  if (wanted >= candidates.size()) return;
  if (wanted == 0) return candidates.clear();
  const auto by_x = [](const auto& left, const auto& right) { return left.x > right.x; };
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
  std::nth_element(candidates.begin(), last, candidates.end(), by_x);
  std::erase_if(candidates, [least = last->x](const auto& candidate) { return candidate.x < least; });
}

/// The error of a request for a tier that a document does not have.
[[nodiscard]] Error no_such_tier(std::string_view id, std::size_t tier);

/// The order of results (SearchResult): whether `left` comes before `right`.
[[nodiscard]] bool better_hit(const Hit& left, const Hit& right) noexcept;

/// The smallest x that satisfies a request against a query of `query_features` features: x > bound, and
/// Overlap::containment(), the very number that is reported, >= min_containment. So a containment read from
/// one answer and given to the next search finds the same document, whatever the rounding. More than
/// query_features if no x does.
[[nodiscard]] std::uint64_t least_overlap(std::uint64_t bound, double min_containment,
                                          std::uint64_t query_features);

}  // namespace akin
