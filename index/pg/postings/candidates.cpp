#include "index/pg/postings/candidates.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "index/codec/feature_counts.h"
#include "index/search/candidate_search.h"

namespace akin::pg {
namespace {

std::vector<std::int64_t> keys_of(std::span<const Feature> features) {
  std::vector<std::int64_t> keys(features.size());
  std::ranges::transform(features, keys.begin(), key_of);
  return keys;
}

/// The postings of a query's features, as CandidateSearch reads them.
class SearchLists {
 public:
  struct List {
    Feature feature{};
    std::uint64_t size = 0;
    std::span<const StoredPosting> rare;
    const FrequentList* frequent = nullptr;
  };
  static constexpr std::uint64_t kLeastDense = 64;
  static constexpr std::uint64_t kPostingsPerProbe = Block::kSkip;
  static constexpr bool kKnowsEligible = false;

  explicit SearchLists(const KeyPostings& postings) : rare_(postings.rare) {
    sort_postings(rare_);
    for (const FrequentList& list : postings.frequent) frequent_.emplace(list.key, &list);
    for (const StoredPosting& one : rare_) last_ = std::max(last_, one.document);
    for (const FrequentList& list : postings.frequent) {
      for (const auto& block : list.blocks) last_ = std::max(last_, block->last);
    }
  }

  [[nodiscard]] std::uint64_t documents() const noexcept { return static_cast<std::uint64_t>(last_ + 1); }

  [[nodiscard]] Result<std::vector<List>> find(const std::vector<Feature>& features) const {
    if (last_ >= static_cast<std::int64_t>(kEnd)) {
      return Error{Errc::too_large, "collection", "it has document numbers over 4294967294",
                   "run `akin reindex`, which numbers the documents again"};
    }
    std::vector<List> lists;
    lists.reserve(features.size());
    for (const Feature feature : features) {
      const std::int64_t key = key_of(feature);
      const auto first = std::ranges::lower_bound(rare_, key, {}, &StoredPosting::key);
      const auto end = std::ranges::upper_bound(first, rare_.end(), key, {}, &StoredPosting::key);
      List list{.feature = feature, .rare = {first, end}};
      list.size = list.rare.size();
      if (const auto frequent = frequent_.find(key); frequent != frequent_.end()) {
        list.frequent = frequent->second;
        list.size += list.frequent->postings;
      }
      lists.push_back(list);
    }
    return lists;
  }

  template <class Visit>
  [[nodiscard]] static Result<void> for_each(const List& list, const Visit& visit) {
    visit_rare(list, visit);
    if (list.frequent == nullptr) return {};
    for (const auto& block : list.frequent->blocks) AKIN_CHECK(for_each_in_block(list, *block, visit));
    return {};
  }

  template <class Visit, class VisitBits, class VisitMore>
  [[nodiscard]] static Result<void> for_each_dense(const List& list, const Visit& visit,
                                                   const VisitBits& visit_bits, const VisitMore& visit_more) {
    visit_rare(list, visit);
    if (list.frequent == nullptr) return {};
    for (const auto& block : list.frequent->blocks) {
      if (block->bits.empty()) {
        AKIN_CHECK(for_each_in_block(list, *block, visit));
        continue;
      }
      visit_bits(static_cast<std::uint32_t>(block->first_bit()),
                 reinterpret_cast<const char*>(block->bits.data()),
                 static_cast<std::uint32_t>(block->bits.size()));
      for (const auto& [document, count] : block->repeated) visit_more(document_of(document), count);
    }
    return {};
  }

  [[nodiscard]] static Result<std::uint32_t> count(const List& list, DocNumber document) {
    const auto number = static_cast<std::int64_t>(static_cast<std::uint32_t>(document));
    const auto rare = std::ranges::lower_bound(list.rare, number, {}, &StoredPosting::document);
    if (rare != list.rare.end() && rare->document == number) return rare->count;
    if (list.frequent == nullptr) return 0U;
    for (const auto& block : list.frequent->blocks) {
      if (number < block->first || number > block->last) continue;
      if (const std::uint32_t count = block->count_of(number); count > 0) return count;
    }
    return 0;
  }

  [[nodiscard]] static Result<bool> is_eligible(DocNumber) { return true; }

 private:
  template <class Visit>
  static void visit_rare(const List& list, const Visit& visit) {
    for (const StoredPosting& one : list.rare) visit(document_of(one.document), one.count);
  }
  template <class Visit>
  [[nodiscard]] static Result<void> for_each_in_block(const List& list, const Block& block,
                                                      const Visit& visit) {
    return for_each_posting(block, list.frequent->key, [&](std::int64_t document, std::uint32_t count) {
      visit(document_of(document), count);
    });
  }

  std::vector<StoredPosting> rare_;  ///< ascending
  std::unordered_map<std::int64_t, const FrequentList*> frequent_;
  std::int64_t last_ = -1;  ///< the largest number of a document
};

}  // namespace

Result<std::vector<Candidate>> find_candidates(const PostingReader& reader, const SearchRequest& request,
                                               std::uint64_t least, SharedFeatures* shared) {
  const std::vector<std::int64_t> keys = keys_of(features_of(count_features(request.query->hashes)));
  if (request.next != nullptr) {
    AKIN_CHECK(reader.read_together(keys, keys_of(features_of(count_features(request.next->hashes)))));
  }
  AKIN_TRY(const auto postings, reader.read_kept(keys));
  SearchLists lists(*postings);
  return CandidateSearch(lists, request, least, shared).run();
}

Result<std::vector<Feature>> find_common(const PostingReader& reader, const KeepExisting& keep_existing,
                                         std::span<const Feature> features, std::uint64_t limit) {
  AKIN_TRY(const KeyPostings postings, reader.read(keys_of(features)));
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
