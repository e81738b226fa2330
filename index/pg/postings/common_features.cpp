#include "index/pg/postings/common_features.h"

#include <algorithm>
#include <map>

namespace akin::pg {

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
