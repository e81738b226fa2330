#include "index/copy/compare.h"

#include <algorithm>
#include <optional>
#include <random>

namespace akin {
namespace {

Error differs(const std::string& what, const std::string& reason) {
  return Error{Errc::mismatch, what, reason,
               "see with akin verify --deep which of the two is damaged, and copy again"};
}

Result<void> compare_counts(const StoreStats& one, const StoreStats& other, Comparison& equal) {
  const auto compare = [](const char* what, std::uint64_t of_one, std::uint64_t of_other) -> Result<void> {
    if (of_one == of_other) return {};
    return differs("copy", std::to_string(of_one) + " " + what + " in the source, " +
                               std::to_string(of_other) + " in the copy");
  };
  AKIN_CHECK(compare("documents", one.documents, other.documents));
  AKIN_CHECK(compare("features", one.features, other.features));
  AKIN_CHECK(compare("postings", one.postings, other.postings));
  AKIN_CHECK(compare("bytes of text", one.text_bytes, other.text_bytes));
  equal.documents = one.documents;
  equal.features = one.features;
  equal.postings = one.postings;
  equal.text_bytes = one.text_bytes;
  return {};
}

/// Compares one document; its features.
Result<FeatureSequence> compare_document(const Snapshot& one, const Snapshot& other, const std::string& id,
                                         const StoreIdentity& store) {
  const std::string name = "document '" + id + "'";
  AKIN_TRY(const std::optional<StoredDocument> record, one.find(id));
  AKIN_TRY(const std::optional<StoredDocument> copied, other.find(id));
  if (!record || !copied || *record != *copied) return differs(name, "its record differs in the copy");
  if (store.store_text) {
    AKIN_TRY(const std::string text, one.text(*record));
    AKIN_TRY(const std::string copied_text, other.text(*copied));
    if (text != copied_text) return differs(name, "its text differs in the copy");
  }
  if (record->file && record->file->kept_bytes > 0) {
    AKIN_TRY(const StoredFile file, one.file(*record));
    AKIN_TRY(const StoredFile copied_file, other.file(*copied));
    if (file != copied_file) return differs(name, "its file differs in the copy");
  }
  AKIN_TRY(FeatureSequence features, one.features(*record));
  AKIN_TRY(const FeatureSequence copied_features, other.features(*copied));
  if (features.hashes != copied_features.hashes || features.ranges != copied_features.ranges)
    return differs(name, "its features differ in the copy");
  return features;
}

bool same_hit(const Hit& one, const Hit& other) {
  return one.document == other.document && one.overlap.x == other.overlap.x &&
         one.overlap.b_features == other.overlap.b_features;
}

Result<void> compare_search(const Snapshot& one, const Snapshot& other, const std::string& id) {
  AKIN_TRY(const FeatureSequence query, one.features_in(id, 0));
  SearchRequest request;
  request.query = &query;
  AKIN_TRY(const SearchResult expected, one.search(request));
  AKIN_TRY(const SearchResult found, other.search(request));
  if (expected.total == found.total && std::ranges::equal(expected.hits, found.hits, same_hit)) return {};
  return differs("document '" + id + "'", "a search for it gives a different answer in the copy");
}

}  // namespace

Sample::Sample(std::size_t size) : size_(size), state_(std::random_device{}()) { ids_.reserve(size); }

void Sample::see(const std::string& id) {
  ++seen_;
  if (ids_.size() < size_) return ids_.push_back(id);
  if (size_ == 0) return;
  // Splitmix64.
  std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111eb;
  const std::uint64_t place = (mixed ^ (mixed >> 31U)) % seen_;
  if (place < size_) ids_[place] = id;
}

Result<Comparison> compare_stores(const Snapshot& one, const Snapshot& other,
                                  const std::vector<std::string>& sample, const StoreIdentity& store) {
  Comparison equal;
  AKIN_TRY(const StoreStats of_one, one.stats());
  AKIN_TRY(const StoreStats of_other, other.stats());
  AKIN_CHECK(compare_counts(of_one, of_other, equal));
  for (const std::string& id : sample) {
    AKIN_TRY(const FeatureSequence features, compare_document(one, other, id, store));
    ++equal.sampled;
    if (equal.searches == kMostSearches || features.hashes.empty()) continue;
    AKIN_CHECK(compare_search(one, other, id));
    ++equal.searches;
  }
  return equal;
}

}  // namespace akin
