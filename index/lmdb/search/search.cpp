#include "index/lmdb/search/search.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>
#include <tuple>
#include <unordered_map>

#include "base/waiting.h"
#include "index/codec/feature_counts.h"
#include "index/lmdb/env/read_ahead.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/overlap/overlap_planes.h"
#include "index/overlap/overlap_sums.h"
#include "index/search/ranking.h"

namespace akin {

namespace {

/// A feature of the query and its posting list.
struct QueryList {
  ListRef list;
  std::uint32_t count = 0;  ///< in the query
  bool common = false;      ///< see SearchRequest::common
};

static_assert(Bitmap::kGroup % OverlapPlanes::kGroup == 0);

/// One search in progress: lists are read from the shortest to the longest. Sums of dense lists, which hold
/// nearly all postings, are counted for 64 documents at a time, unless few documents can still reach the
/// least sum without them.
class CandidateSearch {
 public:
  CandidateSearch(Reading reading, LookUps& look_ups, const SearchRequest& request,
                  std::uint64_t least) noexcept
      : reading_(reading), look_ups_(look_ups), request_(request), least_(least) {}

  /// Every living document with X >= least; with `request.best_only`, at least the best ones.
  Result<std::vector<Candidate>> run() {
    AKIN_TRY(const Counters counters, read_counters(reading_.txn, reading_.tables));
    AKIN_CHECK(find_excluded());
    AKIN_TRY(lmdb::Cursor tombstones, reading_.txn.cursor(reading_.tables.tombstones));
    AKIN_TRY(const bool has_tombstones, tombstones.first());
    if (has_tombstones) tombstones_ = std::move(tombstones);
    documents_ = counters.next_document;
    AKIN_TRY(const auto found, look_up());
    PostingLists& lists = found->lists;
    OverlapSums sums(counters.next_document, postings_, request_.query->hashes.size());
    AKIN_CHECK(generate_candidates(lists, sums));
    return rest_ < least_ || has_common() ? finish(lists, sums) : count_dense(lists, sums, sums.at_least(1));
  }

 private:
  Result<std::shared_ptr<FoundLists>> look_up() {
    const std::vector<FeatureCount> features = count_features(request_.query->hashes);
    AKIN_TRY(auto found, look_ups_.find(reading_.txn, reading_.tables, features_of(features)));
    for (std::size_t i = 0; i < features.size(); ++i) {
      const FeatureCount& entry = features[i];
      const ListRef& list = found->refs[i];
      if (list.size == 0) continue;
      query_.push_back({list, entry.count, is_common(entry.feature)});
      rest_ += entry.count;
    }
    std::sort(query_.begin(), query_.end(), [](const QueryList& left, const QueryList& right) {
      return std::tuple(left.common, left.list.size, left.list.feature) <
             std::tuple(right.common, right.list.size, right.list.feature);
    });
    first_common_ =
        static_cast<std::size_t>(std::ranges::find(query_, true, &QueryList::common) - query_.begin());
    const std::uint64_t dense_size = std::max<std::uint64_t>(kLongList, documents_ / OverlapPlanes::kDense);
    // Beside common lists each other one is read by itself: planes do not say which list had a document.
    if (has_common()) first_dense_ = first_common_;
    while (first_dense_ < query_.size() && query_[first_dense_].list.size < dense_size) ++first_dense_;
    std::uint64_t rest = rest_;
    for (const QueryList& entry : std::span(query_).first(std::min(first_dense_, first_common_))) {
      if (rest >= least_) postings_ += entry.list.size;
      rest -= std::min<std::uint64_t>(rest, entry.count);
    }
    return found;
  }

  [[nodiscard]] bool is_common(Feature feature) const {
    return request_.common != nullptr && std::ranges::binary_search(*request_.common, feature);
  }
  [[nodiscard]] bool has_common() const noexcept { return first_common_ < query_.size(); }

  /// Reads lists until the remaining ones alone cannot make a document reach the least sum (every document
  /// that reaches it has been seen by then), are dense, or are common.
  Result<void> generate_candidates(PostingLists& lists, OverlapSums& sums) {
    std::uint64_t read = 0;
    for (; done_ < std::min(first_dense_, first_common_); ++done_) {
      if (rest_ < least_) return {};
      const QueryList& entry = query_[done_];
      // Finding the best so far costs as much as what has been read.
      if (request_.best_only && entry.list.size >= read) AKIN_CHECK(raise_least(sums));
      if (rest_ < least_) return {};
      AKIN_CHECK(check_work());
      bool known = true;
      AKIN_CHECK(lists.for_each(entry.list, [&](DocNumber document, std::uint32_t count) {
        known = sums.add(document, std::min(entry.count, count)) && known;
      }));
      if (!known) return unknown_document(entry);
      read += entry.list.size;
      rest_ -= entry.count;
    }
    return request_.best_only ? raise_least(sums) : Result<void>();
  }

  static Error unknown_document(const QueryList& entry) {
    return corrupt(name_of(entry.list.feature), "a posting names a document number that was never given out");
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
      AKIN_CHECK(check_work());
      const QueryList& entry = query_[done_];
      if (entry.list.size <= open.size() * kPostingsPerProbe) {
        if (done_ >= first_dense_) return count_dense(lists, sums, open);
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
    for (DocNumber document : open) AKIN_CHECK(take({document, sums.sum(document)}, found));
    return found;
  }

  /// Counts all lists from done_ on, which are dense. `seen`: the documents that have a sum and can reach the
  /// least one; any other document must reach it by these lists alone, and not by common ones.
  Result<std::vector<Candidate>> count_dense(PostingLists& lists, const OverlapSums& sums,
                                             const std::vector<DocNumber>& seen) {
    OverlapPlanes planes(documents_, rest_);
    for (std::size_t at = done_; at < query_.size(); ++at) {
      AKIN_CHECK(check_work());
      AKIN_CHECK(add_dense(lists, query_[at], planes));
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

  Result<void> add_dense(PostingLists& lists, const QueryList& entry, OverlapPlanes& planes) {
    planes.begin_list(entry.count);
    bool known = true;
    const auto add = [&](DocNumber document, std::uint32_t count) {
      known = planes.add(document, std::min(entry.count, count)) && known;
    };
    const auto add_bitmap = [&](const PackedBlock& block) {
      const Bitmap map = block.bitmap();
      known = planes.add_bits(map.first, map.bits, map.words) && known;
      if (entry.count == 1) return;
      block.for_each_exception([&](std::uint32_t document, std::uint32_t count) {
        if (count > 1)
          known = planes.add_to_bit(DocNumber{document}, std::min(entry.count, count) - 1) && known;
      });
    };
    AKIN_CHECK(lists.for_each_dense(entry.list, add, add_bitmap));
    planes.end_list();
    return known ? Result<void>() : unknown_document(entry);
  }

  /// Adds a candidate that may be found.
  Result<void> take(const Candidate& candidate, std::vector<Candidate>& found) {
    AKIN_TRY(const bool eligible, is_eligible(candidate.document));
    if (eligible) found.push_back(candidate);
    return {};
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
  LookUps& look_ups_;
  const SearchRequest& request_;
  std::uint64_t least_;
  std::vector<DocNumber> excluded_;               ///< ascending
  std::unordered_map<DocNumber, bool> accepted_;  ///< answers of `request.accept`
  std::optional<lmdb::Cursor> tombstones_;        ///< if there are any
  std::uint64_t documents_ = 0;                   ///< numbers below this have been given out
  std::vector<QueryList> query_;                  ///< shortest list first
  std::size_t first_dense_ = 0;                   ///< the first dense list
  std::size_t first_common_ = 0;                  ///< the common ones are the last
  std::size_t done_ = 0;                          ///< lists read
  std::uint64_t rest_ = 0;                        ///< the most that the unread lists can add to a sum
  std::uint64_t postings_ = 0;                    ///< of the other lists that generate candidates
};

/// The documents that exist and have at least one of the features, which ascend.
Result<std::uint64_t> count_having(Reading reading, std::span<const Feature> features) {
  AKIN_TRY(const Counters counters, read_counters(reading.txn, reading.tables));
  AKIN_TRY(PostingLists lists, PostingLists::open(reading.txn, reading.tables));
  std::vector<std::uint64_t> having((counters.next_document + Bitmap::kGroup - 1) / Bitmap::kGroup *
                                    (Bitmap::kGroup / 64));
  const auto bit_of = [](DocNumber document) { return static_cast<std::uint32_t>(document); };
  const auto add = [&](DocNumber document, std::uint32_t) {
    const std::uint32_t bit = bit_of(document);
    if (bit / 64 < having.size()) having[bit / 64] |= std::uint64_t{1} << (bit % 64);
  };
  const auto add_bitmap = [&](const PackedBlock& block) {
    const Bitmap map = block.bitmap();
    for (std::uint32_t at = 0; at < map.words && map.first / 64 + at < having.size(); ++at)
      having[map.first / 64 + at] |= map.word(at);
  };
  for (const Feature feature : features) {
    AKIN_TRY(const ListRef list, lists.find(feature));
    AKIN_CHECK(lists.for_each_dense(list, add, add_bitmap));
  }
  AKIN_TRY(const Tombstones tombstones, Tombstones::read(reading.txn, reading.tables));
  for (const DocNumber removed : tombstones.numbers()) {
    const std::uint32_t bit = bit_of(removed);
    if (bit / 64 < having.size()) having[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
  }
  std::uint64_t documents = 0;
  for (const std::uint64_t word : having) documents += static_cast<std::uint64_t>(std::popcount(word));
  return documents;
}

/// A transaction, as search_in looks at it.
struct SearchView {
  Reading reading;
  LookUps& look_ups;

  [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request,
                                                          std::uint64_t least) const {
    return CandidateSearch(reading, look_ups, request, least).run();
  }
  [[nodiscard]] Result<std::uint64_t> count_having(std::span<const Feature> features) const {
    return akin::count_having(reading, features);
  }
  template <class Visit>
  [[nodiscard]] Result<void> for_each_record(const std::vector<Candidate>& candidates,
                                             const Visit& visit) const {
    lmdb::ColdReads cold;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (cold.found_before(i)) announce_records(std::span(candidates).subspan(i));
      AKIN_TRY(DocumentRecord record, read_record(reading, candidates[i].document));
      AKIN_CHECK(visit(candidates[i], std::move(record)));
    }
    return {};
  }
  [[nodiscard]] Result<FeatureSequence> sequence_of(std::span<const Hit> hits,
                                                    const SearchRequest& request) const {
    const Hit& hit = hits.front();
    return read_sequence_beside(reading, hit.document, request.query->hashes, hit.overlap.x);
  }

 private:
  void announce_records(std::span<const Candidate> candidates) const {
    std::vector<std::string> keys(candidates.size());
    std::transform(candidates.begin(), candidates.end(), keys.begin(),
                   [](const Candidate& candidate) { return document_key(candidate.document); });
    std::sort(keys.begin(), keys.end());
    reading.txn.announce(reading.tables.records, keys);
  }
};

}  // namespace

Result<SearchResult> search(Reading reading, LookUps& look_ups, const SearchRequest& request) {
  return search_in(SearchView{reading, look_ups}, request);
}

}  // namespace akin
