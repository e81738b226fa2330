// The steps of a search that do not depend on the engine: checking the request, ordering the hits and cutting
// the page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/waiting.h"
#include "index/search/shared_features.h"
#include "index/store/store.h"

namespace akin {

/// The errors of a request that every search refuses, whatever is stored: invalid_argument (no query,
/// min_containment not in [0,1]), too_large (more than kMaxFeatures features).
[[nodiscard]] Result<void> check_request(const SearchRequest& request);

/// The smallest x that satisfies a request against a query of `query_features` features: x > bound, and
/// Overlap::containment(), exactly the number that is reported, >= min_containment. So a containment copied
/// from one answer into the next search finds the same document, whatever the rounding. More than
/// query_features if no x does.
[[nodiscard]] std::uint64_t least_overlap(std::uint64_t bound, double min_containment,
                                          std::uint64_t query_features);

/// Offset plus limit, capped at the largest number.
[[nodiscard]] std::uint64_t wanted_hits(const SearchRequest& request) noexcept;

/// The order of results (SearchResult): whether `left` comes before `right`.
[[nodiscard]] bool better_hit(const Hit& left, const Hit& right) noexcept;

/// The error of a request for a tier that a document does not have.
[[nodiscard]] Error no_such_tier(std::string_view id, std::size_t tier);

/// The features of the first hit's document, exact at least where it shares features with the query. The
/// other hits' documents are asked for next, in this order.
using SequenceOfHit = std::function<Result<FeatureSequence>(std::span<const Hit> hits)>;

/// Moves the page that the request asks for, best hits first, into `result`, with its passages if the request
/// wants them.
[[nodiscard]] Result<void> take_page(std::vector<Hit> hits, const SearchRequest& request,
                                     const SequenceOfHit& sequence_of, SearchResult& result);

/// Drops candidates, each with its `x`, that cannot be among the best `wanted`, by x alone: records need not
/// be read for them.
template <class Candidate>
void keep_best(std::vector<Candidate>& candidates, std::uint64_t wanted) {
  if (wanted >= candidates.size()) return;
  if (wanted == 0) return candidates.clear();
  const auto by_x = [](const auto& left, const auto& right) { return left.x > right.x; };
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
  std::nth_element(candidates.begin(), last, candidates.end(), by_x);
  std::erase_if(candidates, [least = last->x](const auto& candidate) { return candidate.x < least; });
}

template <class Candidate>
[[nodiscard]] std::uint64_t number_of(const Candidate& candidate) noexcept {
  return static_cast<std::uint64_t>(candidate.document);
}

/// Keeps the best `wanted`, of equal ones those with the smallest numbers.
template <class Candidate>
void keep_first(std::vector<Candidate>& candidates, std::uint64_t wanted) {
  if (wanted >= candidates.size()) return;
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(wanted);
  std::nth_element(candidates.begin(), end, candidates.end(), [](const auto& left, const auto& right) {
    return left.x != right.x ? left.x > right.x : left.document < right.document;
  });
  candidates.erase(end, candidates.end());
}

/// Keeps the candidates that the request accepts.
template <class View, class Candidate>
[[nodiscard]] Result<void> keep_accepted(const View& view, const SearchRequest& request,
                                         std::vector<Candidate>& candidates) {
  if (!request.accept) return {};
  std::vector<Candidate> accepted;
  AKIN_CHECK(view.for_each_record(candidates,
                                  [&](const Candidate& one, const DocumentRecord& record) -> Result<void> {
                                    AKIN_TRY(const bool wanted, request.accept(record));
                                    if (wanted) accepted.push_back(one);
                                    return {};
                                  }));
  candidates = std::move(accepted);
  return {};
}

/// Leaves out the candidates that the request rules out, and returns how many. One whose X chance hardly
/// reaches is not asked about.
template <class View, class Candidate>
[[nodiscard]] Result<std::uint64_t> rule_out(const View& view, const SearchRequest& request,
                                             SharedFeatures& shared, std::vector<Candidate>& candidates) {
  constexpr std::uint64_t kByChance = 8;
  std::vector<Candidate> doubtful;
  std::ranges::copy_if(candidates, std::back_inserter(doubtful),
                       [&](const Candidate& candidate) { return candidate.x < kByChance; });
  shared.sort();
  std::mutex mutex;
  std::vector<std::uint64_t> out;
  const auto look = [&](const Candidate& candidate, std::string_view kept) -> Result<void> {
    const std::uint64_t number = number_of(candidate);
    if (request.rules_out(kept, shared.of(number, candidate.x))) {
      const std::lock_guard lock(mutex);
      out.push_back(number);
    }
    return check_work();
  };
  AKIN_CHECK(view.for_each_kept_words(doubtful, look));
  std::ranges::sort(out);
  return std::erase_if(candidates, [&](const Candidate& candidate) {
    return std::ranges::binary_search(out, number_of(candidate));
  });
}

/// The answer to a request over an engine's view, which has
/// - candidates(request, least, shared) -> Result<std::vector<C>>: each document with X >= least that is
///   there, not excluded and accepted, with its number, `document`, and its `x`; with best_only at least the
///   best ones. It may add to `shared`, unless that is null, what they share;
/// - count_having(features) -> Result<std::uint64_t>: the documents that exist and have at least one of them;
/// - for_each_record(candidates, visit): calls visit(candidate, record), in any order, until an error;
/// - for_each_kept_words(candidates, visit): the same with visit(candidate, kept), for those of whose words
///   something is kept (EncodeWords), and on several threads at once if it likes; of texts over kLongText it
///   may be left out;
/// - sequence_of(hits, request): SequenceOfHit.
template <class View>
[[nodiscard]] Result<SearchResult> search_in(const View& view, const SearchRequest& request) {
  AKIN_CHECK(check_request(request));
  const std::uint64_t query_features = request.query->hashes.size();
  const std::uint64_t least = least_overlap(request.bound, request.min_containment, query_features);
  SearchResult result;
  result.counted = !request.best_only;
  if (least > query_features) return result;
  SharedFeatures shared;
  AKIN_TRY(auto candidates, view.candidates(request, least, request.rules_out ? &shared : nullptr));
  if (request.known != nullptr) {
    result.known = std::erase_if(candidates, [&](const auto& candidate) {
      return !request.known->insert(number_of(candidate)).second;
    });
  }
  result.total = candidates.size();
  if (request.all_or_none && result.total > request.limit) return result;
  if (request.common != nullptr && !request.common->empty()) {
    AKIN_TRY(result.with_common, view.count_having(*request.common));
  }
  if (request.limit == 0 || request.offset >= result.total) return result;
  keep_best(candidates, wanted_hits(request));
  if (request.first_of_equal) keep_first(candidates, wanted_hits(request));
  if (request.rules_out) {
    AKIN_TRY(result.ruled_out, rule_out(view, request, shared, candidates));
  }
  std::vector<Hit> hits;
  hits.reserve(candidates.size());
  AKIN_CHECK(
      view.for_each_record(candidates, [&](const auto& candidate, DocumentRecord record) -> Result<void> {
        if (Result<void> wanted = check_work(); wanted.has_error()) return wanted;
        const std::optional<std::uint64_t> size = record.features_in(request.tier);
        if (!size) return no_such_tier(record.id, request.tier);
        const std::uint64_t number = number_of(candidate);
        const Overlap overlap{candidate.x, query_features, *size};
        hits.push_back({.document = {std::move(record), number}, .overlap = overlap, .passages = {}});
        return {};
      }));
  AKIN_CHECK(take_page(
      std::move(hits), request, [&](std::span<const Hit> next) { return view.sequence_of(next, request); },
      result));
  return result;
}

}  // namespace akin
