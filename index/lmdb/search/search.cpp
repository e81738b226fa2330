#include "index/lmdb/search/search.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/waiting.h"
#include "index/lmdb/documents/reading_parts.h"
#include "index/lmdb/env/read_ahead.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/overlap/overlap_planes.h"
#include "index/search/candidate_search.h"
#include "index/search/ranking.h"

namespace akin {

namespace {

static_assert(Bitmap::kGroup % OverlapPlanes::kGroup == 0);

/// The posting lists of a transaction, as CandidateSearch reads them.
class SearchLists {
 public:
  using List = ListRef;
  static constexpr std::uint64_t kLeastDense = kLongList;
  static constexpr std::uint64_t kPostingsPerProbe = 128;
  static constexpr bool kKnowsEligible = true;

  [[nodiscard]] static Result<SearchLists> open(Reading reading, LookUps& look_ups,
                                                const SearchRequest& request) {
    SearchLists lists(reading, look_ups, request);
    AKIN_TRY(const Counters counters, read_counters(reading.txn, reading.tables));
    lists.documents_ = counters.next_document;
    for (const std::string& id : request.exclude) {
      AKIN_TRY(const std::optional<DocNumber> number, find_number(reading.txn, reading.tables, id));
      if (number) lists.excluded_.push_back(*number);
    }
    std::sort(lists.excluded_.begin(), lists.excluded_.end());
    AKIN_TRY(lmdb::Cursor tombstones, reading.txn.cursor(reading.tables.tombstones));
    AKIN_TRY(const bool has_tombstones, tombstones.first());
    if (has_tombstones) lists.tombstones_ = std::move(tombstones);
    return lists;
  }

  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }

  [[nodiscard]] Result<std::vector<ListRef>> find(const std::vector<Feature>& features) {
    AKIN_TRY(found_, look_ups_->find(reading_.txn, reading_.tables, features));
    return found_->refs;
  }

  template <class Visit>
  [[nodiscard]] Result<void> for_each(const ListRef& list, const Visit& visit) {
    return found_->lists.for_each(list, visit);
  }

  template <class Visit, class VisitBits, class VisitMore>
  [[nodiscard]] Result<void> for_each_dense(const ListRef& list, const Visit& visit,
                                            const VisitBits& visit_bits, const VisitMore& visit_more) {
    return found_->lists.for_each_dense(list, visit, [&](const PackedBlock& block) {
      const Bitmap map = block.bitmap();
      visit_bits(map.first, map.bits, map.words);
      block.for_each_exception([&](std::uint32_t document, std::uint32_t count) {
        if (count > 1) visit_more(DocNumber{document}, count);
      });
    });
  }

  [[nodiscard]] Result<std::uint32_t> count(const ListRef& list, DocNumber document) {
    return found_->lists.count(list, document);
  }

  [[nodiscard]] Result<bool> is_eligible(DocNumber document) {
    if (std::binary_search(excluded_.begin(), excluded_.end(), document)) return false;
    if (tombstones_) {
      AKIN_TRY(const bool tombstoned, tombstones_->seek(document_key(document)));
      if (tombstoned) return false;
    }
    return request_.accept ? is_accepted(document) : Result<bool>(true);
  }

 private:
  SearchLists(Reading reading, LookUps& look_ups, const SearchRequest& request)
      : reading_(reading), look_ups_(&look_ups), request_(request) {}

  Result<bool> is_accepted(DocNumber document) {
    const auto known = accepted_.find(document);
    if (known != accepted_.end()) return known->second;
    AKIN_TRY(const DocumentRecord record, read_record(reading_, document));
    AKIN_TRY(const bool accepted, request_.accept(record));
    accepted_.emplace(document, accepted);
    return accepted;
  }

  Reading reading_;
  LookUps* look_ups_;
  const SearchRequest& request_;
  std::uint64_t documents_ = 0;
  std::vector<DocNumber> excluded_;               ///< ascending
  std::unordered_map<DocNumber, bool> accepted_;  ///< answers of `request.accept`
  std::optional<lmdb::Cursor> tombstones_;        ///< if there are any
  std::shared_ptr<FoundLists> found_;
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

  [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request, std::uint64_t least,
                                                          SharedFeatures* shared) const {
    AKIN_TRY(SearchLists lists, SearchLists::open(reading, look_ups, request));
    return CandidateSearch(lists, request, least, shared).run();
  }
  [[nodiscard]] Result<std::uint64_t> count_having(std::span<const Feature> features) const {
    return akin::count_having(reading, features);
  }
  template <class Visit>
  [[nodiscard]] Result<void> for_each_record(const std::vector<Candidate>& candidates,
                                             const Visit& visit) const {
    lmdb::ColdReads cold;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (cold.found_before(i))
        announce(reading.tables.records, document_key, std::span(candidates).subspan(i));
      AKIN_TRY(DocumentRecord record, read_record(reading, candidates[i].document));
      AKIN_CHECK(visit(candidates[i], std::move(record)));
    }
    return {};
  }
  template <class Visit>
  [[nodiscard]] Result<void> for_each_kept_words(const std::vector<Candidate>& candidates,
                                                 const Visit& visit) const {
    const std::size_t parts = (candidates.size() + kAtOnce - 1) / kAtOnce;
    // To start threads for it would take longer.
    const unsigned threads = place_of_work() != nullptr ? 0 : 1;
    return for_each_part(reading, parts, threads, [&](const Reading& own, std::size_t part) {
      const auto rest = std::span(candidates).subspan(part * kAtOnce);
      return SearchView{own, look_ups}.visit_kept_words(rest, std::min(kAtOnce, rest.size()), visit);
    });
  }
  [[nodiscard]] Result<FeatureSequence> sequence_of(std::span<const Hit> hits,
                                                    const SearchRequest& request) const {
    const Hit& hit = hits.front();
    return read_sequence_beside(reading, hit.document, request.query->hashes, hit.overlap.x);
  }

 private:
  /// Documents of which a thread reads the kept words at once, in a quarter of a millisecond.
  static constexpr std::size_t kAtOnce = 64;

  /// Of the first `count` candidates. If their words are on the disk, it announces those of all.
  template <class Visit>
  [[nodiscard]] Result<void> visit_kept_words(std::span<const Candidate> candidates, std::size_t count,
                                              const Visit& visit) const {
    lmdb::ColdReads cold;
    for (std::size_t i = 0; i < count; ++i) {
      if (cold.found_before(i)) announce(reading.tables.files, words_key, candidates.subspan(i));
      AKIN_TRY(const auto kept, read_kept_words(reading, candidates[i].document));
      if (kept) AKIN_CHECK(visit(candidates[i], *kept));
    }
    return {};
  }
  void announce(const lmdb::Table& table, std::string (*key_of)(DocNumber),
                std::span<const Candidate> candidates) const {
    std::vector<std::string> keys(candidates.size());
    std::transform(candidates.begin(), candidates.end(), keys.begin(),
                   [&](const Candidate& candidate) { return key_of(candidate.document); });
    std::sort(keys.begin(), keys.end());
    reading.txn.announce(table, keys);
  }
};

}  // namespace

Result<SearchResult> search(Reading reading, LookUps& look_ups, const SearchRequest& request) {
  return search_in(SearchView{reading, look_ups}, request);
}

}  // namespace akin
