#include "index/pg/postings/candidates.h"

#include <algorithm>
#include <map>

#include "base/waiting.h"
#include "index/codec/feature_counts.h"
#include "index/overlap/overlap_planes.h"

namespace akin::pg {
namespace {

/// A query's keys, ascending, and how often it has each.
struct QueryKeys {
  std::vector<std::int64_t> keys;
  std::vector<std::uint32_t> counts;

  [[nodiscard]] std::uint32_t count_of(std::int64_t key) const {
    return counts[static_cast<std::size_t>(std::ranges::lower_bound(keys, key) - keys.begin())];
  }
};

/// A frequent feature of the query, and how often the query has it.
struct CountedList {
  const FrequentList* list = nullptr;
  std::uint32_t count = 0;
};

QueryKeys keys_of(const FeatureSequence& query) {
  QueryKeys keys;
  for (const FeatureCount& entry : count_features(query.hashes)) {
    keys.keys.push_back(key_of(entry.feature));
    keys.counts.push_back(entry.count);
  }
  return keys;
}

DocNumber document_of(std::int64_t number) noexcept { return DocNumber{static_cast<std::uint32_t>(number)}; }

class CandidateSearch {
 public:
  CandidateSearch(const KeyPostings& postings, const QueryKeys& query, std::uint64_t least)
      : postings_(postings), query_(query), least_(least) {
    for (const FrequentList& list : postings.frequent) lists_.push_back({&list, query.count_of(list.key)});
    // The longest last.
    std::ranges::sort(lists_, [](const CountedList& left, const CountedList& right) {
      return std::pair(left.list->postings, left.list->key) <
             std::pair(right.list->postings, right.list->key);
    });
    for (counted_ = lists_.size(); counted_ > 0 && rest_ + lists_[counted_ - 1].count < least; --counted_)
      rest_ += lists_[counted_ - 1].count;
  }

  Result<std::vector<Candidate>> run(std::uint64_t query_features) {
    AKIN_TRY(const std::uint64_t documents, document_limit());
    first_dense_ = static_cast<std::size_t>(
        std::ranges::lower_bound(lists_, documents / OverlapPlanes::kDense + 1, {},
                                 [](const CountedList& one) { return one.list->postings; }) -
        lists_.begin());
    const std::size_t summed = std::min(counted_, first_dense_);
    std::uint64_t postings = postings_.rare.size();
    for (std::size_t i = 0; i < summed; ++i) postings += lists_[i].list->postings;
    OverlapSums sums(documents, postings, query_features);
    for (const StoredPosting& one : postings_.rare) {
      // Below `documents`, as all are.
      static_cast<void>(sums.add(document_of(one.document), std::min(one.count, query_.count_of(one.key))));
    }
    for (std::size_t i = 0; i < summed; ++i) {
      AKIN_CHECK(check_work());
      AKIN_CHECK(for_each_in_list(lists_[i], [&](DocNumber document, std::uint32_t count) {
        static_cast<void>(sums.add(document, count));
      }));
    }
    return counted_ <= first_dense_ ? finish(sums) : count_dense(sums, documents);
  }

 private:
  /// One more than the largest number in the postings.
  [[nodiscard]] Result<std::uint64_t> document_limit() const {
    std::int64_t last = -1;
    for (const StoredPosting& one : postings_.rare) last = std::max(last, one.document);
    for (const CountedList& one : lists_) {
      for (const auto& block : one.list->blocks) last = std::max(last, block->last);
    }
    if (last >= static_cast<std::int64_t>(kEnd)) {
      return Error{Errc::too_large, "collection", "it has document numbers over 4294967294",
                   "run `akin reindex`, which numbers the documents again"};
    }
    return static_cast<std::uint64_t>(last + 1);
  }

  /// Calls visit(document, count) for each posting of a block, with what it adds to the document's sum.
  template <class Visit>
  [[nodiscard]] static Result<void> for_each_in_block(const CountedList& list, const Block& block,
                                                      const Visit& visit) {
    return for_each_posting(block, list.list->key, [&](std::int64_t document, std::uint32_t count) {
      visit(document_of(document), std::min(count, list.count));
    });
  }

  template <class Visit>
  [[nodiscard]] static Result<void> for_each_in_list(const CountedList& list, const Visit& visit) {
    for (const auto& block : list.list->blocks) AKIN_CHECK(for_each_in_block(list, *block, visit));
    return {};
  }

  /// Completes the sums of documents that can still be candidates from the lists that were left out, reading
  /// only blocks that may have one of them.
  [[nodiscard]] Result<std::vector<Candidate>> finish(OverlapSums& sums) const {
    std::vector<DocNumber> open = sums.at_least(std::max<std::uint64_t>(least_ - rest_, 1));
    std::ranges::sort(open);
    for (std::size_t i = counted_; i < lists_.size() && !open.empty(); ++i) {
      AKIN_CHECK(check_work());
      for (const auto& block : lists_[i].list->blocks) {
        const auto next = std::ranges::lower_bound(open, document_of(block->first));
        const auto end = std::ranges::upper_bound(next, open.end(), document_of(block->last));
        if (next == end) continue;
        if (static_cast<std::uint64_t>(end - next) * Block::kSkip < block->postings) {
          for (auto document = next; document != end; ++document) {
            const std::uint32_t count = block->count_of(static_cast<std::uint32_t>(*document));
            sums.add_if_candidate(*document, std::min(count, lists_[i].count));
          }
          continue;
        }
        AKIN_CHECK(for_each_in_block(lists_[i], *block, [&](DocNumber document, std::uint32_t count) {
          sums.add_if_candidate(document, count);
        }));
      }
    }
    std::vector<Candidate> found;
    for (const DocNumber document : open) {
      if (sums.sum(document) >= least_) found.push_back({document, sums.sum(document)});
    }
    return found;
  }

  /// Counts the dense lists, which hold nearly all postings, for 64 documents at a time.
  [[nodiscard]] Result<std::vector<Candidate>> count_dense(const OverlapSums& sums,
                                                           std::uint64_t documents) const {
    std::uint64_t most = 0;
    for (std::size_t i = first_dense_; i < lists_.size(); ++i) most += lists_[i].count;
    OverlapPlanes planes(documents, most);
    for (std::size_t i = first_dense_; i < lists_.size(); ++i) {
      AKIN_CHECK(check_work());
      AKIN_CHECK(add_dense(lists_[i], planes));
    }
    std::vector<Candidate> found;
    for (const DocNumber document : sums.at_least(1)) {
      const std::uint32_t x = sums.sum(document) + planes.sum(document);
      if (x >= least_) found.push_back({document, x});
    }
    planes.for_each_at_least(least_, [&](DocNumber document) {
      if (sums.sum(document) == 0) found.push_back({document, planes.sum(document)});
    });
    return found;
  }

  /// All numbers are below the planes' limit.
  [[nodiscard]] static Result<void> add_dense(const CountedList& list, OverlapPlanes& planes) {
    planes.begin_list(list.count);
    for (const auto& block : list.list->blocks) {
      if (block->bits.empty()) {
        AKIN_CHECK(for_each_in_block(list, *block, [&](DocNumber document, std::uint32_t count) {
          static_cast<void>(planes.add(document, count));
        }));
        continue;
      }
      static_cast<void>(planes.add_bits(static_cast<std::uint32_t>(block->first_bit()),
                                        reinterpret_cast<const char*>(block->bits.data()),
                                        static_cast<std::uint32_t>(block->bits.size())));
      if (list.count == 1) continue;
      for (const auto& [document, count] : block->repeated)
        static_cast<void>(planes.add_to_bit(document_of(document), std::min(count, list.count) - 1));
    }
    planes.end_list();
    return {};
  }

  const KeyPostings& postings_;
  const QueryKeys& query_;
  std::uint64_t least_;
  std::vector<CountedList> lists_;  ///< the shortest first
  std::size_t counted_ = 0;         ///< lists in the first count, if none of them is dense
  std::size_t first_dense_ = 0;     ///< of lists_
  std::uint64_t rest_ = 0;          ///< the most that the lists outside of the first count can add to a sum
};

}  // namespace

Result<std::vector<Candidate>> find_candidates(const PostingReader& reader, const FeatureSequence& query,
                                               std::uint64_t least, const FeatureSequence* next) {
  const QueryKeys keys = keys_of(query);
  if (next != nullptr) AKIN_CHECK(reader.read_together(keys.keys, keys_of(*next).keys));
  AKIN_TRY(const auto postings, reader.read_kept(keys.keys));
  return CandidateSearch(*postings, keys, least).run(query.hashes.size());
}

Result<std::vector<Feature>> find_common(const PostingReader& reader, const KeepExisting& keep_existing,
                                         std::span<const Feature> features, std::uint64_t limit) {
  std::vector<std::int64_t> keys;
  keys.reserve(features.size());
  for (const Feature feature : features) keys.push_back(key_of(feature));
  AKIN_TRY(const KeyPostings postings, reader.read(keys));
  std::map<std::int64_t, std::vector<std::int64_t>> documents;
  for (const StoredPosting& one : postings.rare) documents[one.key].push_back(one.document);
  for (const FrequentList& list : postings.frequent) {
    for (const auto& block : list.blocks) {
      AKIN_CHECK(for_each_posting(*block, list.key, [&](std::int64_t document, std::uint32_t) {
        documents[list.key].push_back(document);
      }));
    }
  }
  std::vector<Feature> common;
  for (auto& [key, numbers] : documents) {
    if (numbers.size() <= limit) continue;
    std::ranges::sort(numbers);
    AKIN_CHECK(keep_existing(numbers));
    if (numbers.size() > limit) common.push_back(feature_of(key));
  }
  return common;
}

}  // namespace akin::pg
