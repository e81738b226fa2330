#include "index/lmdb/search.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "index/feature_counts.h"
#include "index/lmdb/posting_lists.h"
#include "index/overlap_sums.h"
#include "index/ranking.h"

namespace akin {

namespace {

/// A feature of the query and its posting list.
struct QueryList {
  ListRef list;
  std::uint32_t count = 0;  ///< in the query
};

/// One search in progress: lists are read from the shortest to the longest.
class CandidateSearch {
 public:
  CandidateSearch(Reading reading, const SearchRequest& request, std::uint64_t least) noexcept
      : reading_(reading), request_(request), least_(least) {}

  /// Every living document with X >= least; with `request.best_only`, at least the best ones.
  Result<std::vector<Candidate>> run() {
    AKIN_TRY(const Counters counters, read_counters(reading_.txn, reading_.tables));
    AKIN_CHECK(find_excluded());
    AKIN_TRY(lmdb::Cursor tombstones, reading_.txn.cursor(reading_.tables.tombstones));
    AKIN_TRY(const bool has_tombstones, tombstones.first());
    if (has_tombstones) tombstones_ = std::move(tombstones);
    AKIN_TRY(PostingLists lists, PostingLists::open(reading_.txn, reading_.tables));
    AKIN_CHECK(look_up(lists));
    OverlapSums sums(counters.next_document, postings_, request_.query->hashes.size());
    AKIN_CHECK(generate_candidates(lists, sums));
    return finish(lists, sums);
  }

 private:
  Result<void> look_up(PostingLists& lists) {
    for (const FeatureCount& entry : count_features(request_.query->hashes)) {
      AKIN_TRY(const ListRef list, lists.find(entry.feature));
      if (list.size == 0) continue;
      query_.push_back({list, entry.count});
      rest_ += entry.count;
    }
    std::sort(query_.begin(), query_.end(), [](const QueryList& left, const QueryList& right) {
      return std::pair(left.list.size, left.list.feature) < std::pair(right.list.size, right.list.feature);
    });
    std::uint64_t rest = rest_;
    for (const QueryList& entry : query_) {
      if (rest < least_) break;
      postings_ += entry.list.size;
      rest -= entry.count;
    }
    return {};
  }

  /// Reads lists until the remaining ones alone cannot make a document reach the least sum: every document
  /// that reaches it has been seen by then.
  Result<void> generate_candidates(PostingLists& lists, OverlapSums& sums) {
    std::uint64_t read = 0;
    for (; done_ < query_.size(); ++done_) {
      if (rest_ < least_) break;
      const QueryList& entry = query_[done_];
      // Finding the best so far costs as much as what has been read.
      if (request_.best_only && entry.list.size >= read) AKIN_CHECK(raise_least(sums));
      if (rest_ < least_) break;
      bool known = true;
      AKIN_CHECK(lists.for_each(entry.list, [&](DocNumber document, std::uint32_t count) {
        known = sums.add(document, std::min(entry.count, count)) && known;
      }));
      if (!known) {
        return corrupt(name_of(entry.list.feature),
                       "a posting names a document number that was never given out");
      }
      read += entry.list.size;
      rest_ -= entry.count;
    }
    return {};
  }

  /// As many documents as are wanted have a sum of at least this: a smaller one is not among the best.
  Result<void> raise_least(const OverlapSums& sums) {
    const std::uint64_t wanted = wanted_hits(request_);
    std::vector<std::uint32_t> living;
    for (DocNumber document : sums.at_least(least_)) {
      AKIN_TRY(const bool lives, is_eligible(document));
      if (lives) living.push_back(sums.sum(document));
    }
    if (wanted == 0 || living.size() < wanted) return {};
    const auto last = living.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(living.begin(), last, living.end(), std::greater<>());
    least_ = std::max<std::uint64_t>(least_, *last);
    return {};
  }

  /// Completes the sums of the documents that can still reach the least one.
  Result<std::vector<Candidate>> finish(PostingLists& lists, OverlapSums& sums) {
    // The number of postings decoded in the time of one look-up.
    constexpr std::uint64_t kPostingsPerProbe = 128;
    std::vector<DocNumber> open = sums.at_least(least_ > rest_ ? least_ - rest_ : 1);
    for (; done_ < query_.size() && !open.empty(); ++done_) {
      const QueryList& entry = query_[done_];
      if (entry.list.size <= open.size() * kPostingsPerProbe) {
        AKIN_CHECK(lists.for_each(entry.list, [&](DocNumber document, std::uint32_t count) {
          sums.add_if_candidate(document, std::min(entry.count, count));
        }));
      } else {
        for (DocNumber document : open) {
          AKIN_TRY(const std::uint32_t count, lists.count(entry.list, document));
          sums.add_if_candidate(document, std::min(entry.count, count));
        }
      }
      rest_ -= entry.count;
      std::erase_if(open, [&](DocNumber document) { return sums.sum(document) + rest_ < least_; });
    }
    std::vector<Candidate> found;
    for (DocNumber document : open) {
      AKIN_TRY(const bool eligible, is_eligible(document));
      if (eligible) found.push_back({document, sums.sum(document)});
    }
    return found;
  }

  Result<void> find_excluded() {
    for (const std::string& id : request_.exclude) {
      AKIN_TRY(const std::optional<DocNumber> number, find_number(reading_.txn, reading_.tables, id));
      if (number) excluded_.push_back(*number);
    }
    std::sort(excluded_.begin(), excluded_.end());
    return {};
  }

  Result<bool> is_eligible(DocNumber document) {
    if (std::binary_search(excluded_.begin(), excluded_.end(), document)) return false;
    if (tombstones_) {
      AKIN_TRY(const bool tombstoned, tombstones_->seek(document_key(document)));
      if (tombstoned) return false;
    }
    return request_.accept ? is_accepted(document) : Result<bool>(true);
  }

  Result<bool> is_accepted(DocNumber document) {
    const auto known = accepted_.find(document);
    if (known != accepted_.end()) return known->second;
    AKIN_TRY(const DocumentRecord record, read_record(reading_, document));
    AKIN_TRY(const bool accepted, request_.accept(record));
    accepted_.emplace(document, accepted);
    return accepted;
  }

  Reading reading_;
  const SearchRequest& request_;
  std::uint64_t least_;
  std::vector<DocNumber> excluded_;               ///< ascending
  std::unordered_map<DocNumber, bool> accepted_;  ///< answers of `request.accept`
  std::optional<lmdb::Cursor> tombstones_;        ///< if there are any
  std::vector<QueryList> query_;                  ///< shortest list first
  std::size_t done_ = 0;                          ///< lists read
  std::uint64_t rest_ = 0;                        ///< the most that the unread lists can add to a sum
  std::uint64_t postings_ = 0;                    ///< of the lists that generate candidates
};

/// A transaction, as search_in looks at it.
struct SearchView {
  Reading reading;

  [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request,
                                                          std::uint64_t least) const {
    return CandidateSearch(reading, request, least).run();
  }
  template <class Visit>
  [[nodiscard]] Result<void> for_each_record(const std::vector<Candidate>& candidates,
                                             const Visit& visit) const {
    for (const Candidate& candidate : candidates) {
      AKIN_TRY(DocumentRecord record, read_record(reading, candidate.document));
      AKIN_CHECK(visit(candidate, std::move(record)));
    }
    return {};
  }
  [[nodiscard]] Result<FeatureSequence> sequence_of(const Hit& hit, const SearchRequest& request) const {
    AKIN_TRY(const std::optional<DocNumber> number,
             find_number(reading.txn, reading.tables, hit.document.id));
    if (!number) return corrupt("id '" + hit.document.id + "'", "it does not lead to its document");
    return read_sequence_beside(reading, *number, *request.query, hit.overlap.x);
  }
};

}  // namespace

Result<SearchResult> search(Reading reading, const SearchRequest& request) {
  return search_in(SearchView{reading}, request);
}

}  // namespace akin
