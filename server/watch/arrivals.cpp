#include "server/watch/arrivals.h"

#include <utility>

#include "index/search/word_cache.h"

namespace akin::watch {

namespace {

class CollectionArrivals final : public Arrivals {
 public:
  CollectionArrivals(std::shared_ptr<Collection> collection, std::unique_ptr<Snapshot> snapshot)
      : collection_(std::move(collection)), snapshot_(std::move(snapshot)) {}

  std::string analysis() const override {
    return collection_->scheme().name() + " " + collection_->fingerprint();
  }

  Result<FeatureSequence> analyze(std::string_view text) const override {
    return collection_->analyze_tiers(text);
  }

  std::vector<TierQuery> reuse() const override {
    if (!finds_reuse(collection_->scheme())) return {};
    return reuse_tiers(collection_->scheme(), collection_->keeps_texts());
  }

  std::string tier_name(std::size_t tier) const override {
    const auto tiers = collection_->scheme().tiers();
    return tier < tiers.size() ? tiers[tier].name : std::string();
  }

  Result<AlignedText> align(std::string_view text, const StoredDocument& arrived) const override {
    const std::shared_ptr<const Dictionary> dictionary = collection_->shared_dictionary();
    AKIN_TRY(StoredText stored, snapshot_->open_text(arrived));
    AKIN_TRY(const auto stored_words,
             WordCache::of_process().words(*snapshot_, arrived, stored, *dictionary));
    AKIN_TRY(WordSequence words, read_words(text, *dictionary));
    AKIN_TRY(const auto aligner, TextAligner::of(text, std::move(words), dictionary));
    AKIN_TRY(AlignedText aligned, aligner->align(stored, *stored_words));
    aligned.words.bits = match_alone(*aligner, *stored_words).bits;
    return aligned;
  }

  Result<Revision> last_revision() const override {
    AKIN_TRY(const StoreStats stats, snapshot_->stats());
    return stats.last_revision;
  }

  Result<std::vector<Arrival>> after(Revision revision, std::size_t limit) const override {
    AKIN_TRY(std::vector<StoredDocument> records, snapshot_->changes(revision, limit));
    std::vector<Arrival> arrivals;
    arrivals.reserve(records.size());
    for (StoredDocument& record : records) {
      AKIN_TRY(FeatureSequence features, stored_tiers(record));
      arrivals.push_back({std::move(record), std::move(features)});
    }
    return arrivals;
  }

 private:
  /// Collection::analyze_tiers of a stored document.
  [[nodiscard]] Result<FeatureSequence> stored_tiers(const StoredDocument& document) const {
    AKIN_TRY(FeatureSequence all, snapshot_->features_in(document, 0));
    all.tier_sizes = {all.hashes.size()};
    for (std::size_t tier = 1; tier < collection_->scheme().tiers().size(); ++tier) {
      AKIN_TRY(const FeatureSequence part, snapshot_->features_in(document, tier));
      all.hashes.insert(all.hashes.end(), part.hashes.begin(), part.hashes.end());
      all.ranges.insert(all.ranges.end(), part.ranges.begin(), part.ranges.end());
      all.tier_sizes.push_back(part.hashes.size());
    }
    return all;
  }

  std::shared_ptr<Collection> collection_;
  std::unique_ptr<Snapshot> snapshot_;
};

}  // namespace

OpenArrivals arrivals_of(std::shared_ptr<Catalog> catalog) {
  return [catalog = std::move(catalog)](const std::string& name) -> Result<std::unique_ptr<Arrivals>> {
    AKIN_TRY(auto collection, catalog->get(name));
    AKIN_TRY(auto snapshot, collection->snapshot());
    return std::make_unique<CollectionArrivals>(std::move(collection), std::move(snapshot));
  };
}

}  // namespace akin::watch
