// Candidate generation, the same in every engine that reads posting lists: which documents share at least so
// many features with a query.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/waiting.h"
#include "index/codec/feature_counts.h"
#include "index/overlap/overlap_planes.h"
#include "index/overlap/overlap_sums.h"
#include "index/search/ranking.h"
#include "index/store/store.h"

namespace akin {

/// One search in progress: lists are read from the shortest to the longest. Sums of dense lists, which hold
/// nearly all postings, are counted for 64 documents at a time, unless few documents can still reach the
/// least sum without them.
///
/// `Lists` are the posting lists of an engine, as of one transaction:
/// - List: one feature's, with `feature` and `size`, the number of its postings, which may be of documents
///   that no longer exist;
/// - kLeastDense: a list of fewer postings is not dense; kPostingsPerProbe: how many are decoded in the time
/// of
///   one `count`; kKnowsEligible: whether `is_eligible` decides, or the caller drops documents afterwards;
/// - documents(): numbers below this have been given out;
/// - find(features) -> Result<std::vector<List>>: the list of each of these features, which ascend;
/// - for_each(list, visit): calls visit(document, count) for every posting;
/// - for_each_dense(list, visit, visit_bits, visit_more): the same, but a stretch of bits is passed to
///   visit_bits(first, bits, words), as to OverlapPlanes::add_bits, and then each of its documents that has
///   the feature more than once to visit_more(document, count);
/// - count(list, document) -> Result<std::uint32_t>: 0 if it is not in the list;
/// - is_eligible(document) -> Result<bool>: whether it exists and the request accepts it.
template <class Lists>
class CandidateSearch {
 public:
  /// Views all. `shared`, unless null: gets what is seen of the features that documents share.
  CandidateSearch(Lists& lists, const SearchRequest& request, std::uint64_t least,
                  SharedFeatures* shared) noexcept
      : lists_(lists), request_(request), least_(least), shared_(shared) {}

  /// Every eligible document with X >= least; with `request.best_only`, at least the best ones; with
  /// `request.all_or_none`, of more than the limit at least that many and one. In no order.
  /// Error also: corrupt (a posting of a document number that was never given out).
  [[nodiscard]] Result<std::vector<Candidate>> run() {
    AKIN_CHECK(look_up());
    OverlapSums sums(lists_.documents(), postings_, request_.query->hashes.size());
    AKIN_CHECK(generate_candidates(sums));
    if (too_many_) return *std::move(too_many_);
    return rest_ < least_ || has_common() ? finish(sums) : count_dense(sums, sums.at_least(1));
  }

 private:
  using List = typename Lists::List;

  /// A feature of the query and its posting list.
  struct QueryList {
    List list;
    std::uint32_t count = 0;  ///< in the query
    bool common = false;      ///< see SearchRequest::common
  };

  Result<void> look_up() {
    const std::vector<FeatureCount> features = count_features(request_.query->hashes);
    AKIN_TRY(std::vector<List> found, lists_.find(features_of(features)));
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (found[i].size == 0) continue;
      query_.push_back({std::move(found[i]), features[i].count, is_common(features[i].feature)});
      rest_ += features[i].count;
    }
    std::sort(query_.begin(), query_.end(), [](const QueryList& left, const QueryList& right) {
      return std::tuple(left.common, left.list.size, left.list.feature) <
             std::tuple(right.common, right.list.size, right.list.feature);
    });
    first_common_ =
        static_cast<std::size_t>(std::ranges::find(query_, true, &QueryList::common) - query_.begin());
    const std::uint64_t dense_size =
        std::max<std::uint64_t>(Lists::kLeastDense, lists_.documents() / OverlapPlanes::kDense);
    // Beside common lists each other one is read by itself: planes do not say which list had a document.
    if (has_common()) first_dense_ = first_common_;
    while (first_dense_ < query_.size() && query_[first_dense_].list.size < dense_size) ++first_dense_;
    std::uint64_t rest = rest_;
    for (const QueryList& entry : std::span(query_).first(std::min(first_dense_, first_common_))) {
      if (rest >= least_) postings_ += entry.list.size;
      rest -= std::min<std::uint64_t>(rest, entry.count);
    }
    return {};
  }

  [[nodiscard]] bool is_common(Feature feature) const {
    return request_.common != nullptr && std::ranges::binary_search(*request_.common, feature);
  }
  [[nodiscard]] bool has_common() const noexcept { return first_common_ < query_.size(); }

  /// Reads lists until the remaining ones alone cannot make a document reach the least sum (every document
  /// that reaches it has been seen by then), are dense, or are common.
  Result<void> generate_candidates(OverlapSums& sums) {
    std::uint64_t read = 0;
    for (; done_ < std::min(first_dense_, first_common_); ++done_) {
      if (rest_ < least_) return {};
      const QueryList& entry = query_[done_];
      // Finding the best so far costs as much as what has been read.
      if (wants_best() && entry.list.size >= read) AKIN_CHECK(raise_least(sums));
      if (rest_ < least_) return {};
      AKIN_CHECK(check_work());
      bool known = true;
      AKIN_CHECK(lists_.for_each(entry.list, [&](DocNumber document, std::uint32_t count) {
        known = sums.add(document, std::min(entry.count, count)) && known;
        if (shared_ != nullptr) shared_->add(document, entry.list.feature, std::min(entry.count, count));
      }));
      if (!known) return unknown_document(entry);
      read += entry.list.size;
      rest_ -= entry.count;
      AKIN_CHECK(look_for_too_many(sums));
      if (too_many_) return {};
    }
    return wants_best() ? raise_least(sums) : Result<void>();
  }

  /// Sets too_many_ if so many documents have been found that none is listed. Looks at them whenever they
  /// have doubled.
  Result<void> look_for_too_many(const OverlapSums& sums) {
    if (!Lists::kKnowsEligible || !request_.all_or_none || request_.known != nullptr) return {};
    if (sums.seen() <= std::max(request_.limit, 2 * looked_at_)) return {};
    looked_at_ = sums.seen();
    AKIN_TRY(std::vector<Candidate> found, all_of(sums.at_least(least_), sums));
    if (found.size() > request_.limit) too_many_ = std::move(found);
    return {};
  }

  [[nodiscard]] bool wants_best() const noexcept { return Lists::kKnowsEligible && request_.best_only; }

  static Error unknown_document(const QueryList& entry) {
    return corrupt(name_of(entry.list.feature), "a posting names a document number that was never given out");
  }

  /// As many documents as are wanted have a sum of at least this: a smaller one is not among the best.
  Result<void> raise_least(const OverlapSums& sums) {
    const std::uint64_t wanted = wanted_hits(request_);
    std::vector<std::uint32_t> living;
    for (DocNumber document : sums.at_least(least_)) {
      AKIN_TRY(const bool lives, lists_.is_eligible(document));
      if (lives) living.push_back(sums.sum(document));
    }
    if (wanted == 0 || living.size() < wanted) return {};
    const auto last = living.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(living.begin(), last, living.end(), std::greater<>());
    least_ = std::max<std::uint64_t>(least_, *last);
    return {};
  }

  /// Completes the sums of the documents that can still reach the least one.
  Result<std::vector<Candidate>> finish(OverlapSums& sums) {
    std::vector<DocNumber> open = sums.at_least(least_ > rest_ ? least_ - rest_ : 1);
    std::ranges::sort(open);  // neighbours are stored beside each other
    for (; done_ < query_.size() && !open.empty(); ++done_) {
      AKIN_CHECK(check_work());
      const QueryList& entry = query_[done_];
      if (entry.list.size <= open.size() * Lists::kPostingsPerProbe) {
        if (done_ >= first_dense_) return count_dense(sums, open);
        AKIN_CHECK(lists_.for_each(entry.list, [&](DocNumber document, std::uint32_t count) {
          sums.add_if_candidate(document, std::min(entry.count, count));
        }));
      } else {
        for (DocNumber document : open) {
          AKIN_TRY(const std::uint32_t count, lists_.count(entry.list, document));
          sums.add_if_candidate(document, std::min(entry.count, count));
        }
      }
      rest_ -= entry.count;
      std::erase_if(open, [&](DocNumber document) { return sums.sum(document) + rest_ < least_; });
    }
    return all_of(open, sums);
  }

  /// The eligible ones.
  Result<std::vector<Candidate>> all_of(const std::vector<DocNumber>& documents, const OverlapSums& sums) {
    std::vector<Candidate> found;
    for (const DocNumber document : documents) AKIN_CHECK(take({document, sums.sum(document)}, found));
    return found;
  }

  /// Counts all lists from done_ on, which are dense. `seen`: the documents that have a sum and can reach the
  /// least one; any other document must reach it by these lists alone, and not by common ones.
  Result<std::vector<Candidate>> count_dense(const OverlapSums& sums, const std::vector<DocNumber>& seen) {
    OverlapPlanes planes(lists_.documents(), rest_);
    for (std::size_t at = done_; at < query_.size(); ++at) {
      AKIN_CHECK(check_work());
      AKIN_CHECK(add_dense(query_[at], planes));
    }
    std::vector<Candidate> found;
    for (const DocNumber document : seen) {
      const std::uint32_t x = sums.sum(document) + planes.sum(document);
      if (x >= least_) AKIN_CHECK(take({document, x}, found));
    }
    if (rest_ < least_ || has_common()) return found;
    std::vector<DocNumber> only_dense;
    planes.for_each_at_least(least_, [&](DocNumber document) {
      if (sums.sum(document) == 0) only_dense.push_back(document);
    });
    for (const DocNumber document : only_dense) AKIN_CHECK(take({document, planes.sum(document)}, found));
    return found;
  }

  Result<void> add_dense(const QueryList& entry, OverlapPlanes& planes) {
    planes.begin_list(entry.count);
    bool known = true;
    const auto add = [&](DocNumber document, std::uint32_t count) {
      known = planes.add(document, std::min(entry.count, count)) && known;
    };
    const auto add_bits = [&](std::uint32_t first, const char* bits, std::uint32_t words) {
      known = planes.add_bits(first, bits, words) && known;
    };
    const auto add_more = [&](DocNumber document, std::uint32_t count) {
      if (entry.count > 1) known = planes.add_to_bit(document, std::min(entry.count, count) - 1) && known;
    };
    AKIN_CHECK(lists_.for_each_dense(entry.list, add, add_bits, add_more));
    planes.end_list();
    return known ? Result<void>() : unknown_document(entry);
  }

  /// Adds a candidate that may be found.
  Result<void> take(const Candidate& candidate, std::vector<Candidate>& found) {
    AKIN_TRY(const bool eligible, lists_.is_eligible(candidate.document));
    if (eligible) found.push_back(candidate);
    return {};
  }

  Lists& lists_;
  const SearchRequest& request_;
  std::uint64_t least_;
  SharedFeatures* shared_;
  std::vector<QueryList> query_;  ///< the shortest list first
  std::size_t first_dense_ = 0;   ///< the first dense list
  std::size_t first_common_ = 0;  ///< the common ones are the last
  std::size_t done_ = 0;          ///< lists read
  std::uint64_t rest_ = 0;        ///< the most that the unread lists can add to a sum
  std::uint64_t postings_ = 0;    ///< of the other lists that generate candidates
  std::uint64_t looked_at_ = 0;   ///< documents by look_for_too_many
  std::optional<std::vector<Candidate>> too_many_;
};

}  // namespace akin
