#include "server/watch/arrivals.h"

#include <algorithm>
#include <utility>

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
    return join_tiers([&](std::size_t tier) { return collection_->analyze_in(text, tier); });
  }

  std::vector<TierQuery> reuse() const override {
    if (!finds_reuse(collection_->scheme())) return {};
    return reuse_tiers(collection_->scheme(), collection_->keeps_texts());
  }

  std::string tier_name(std::size_t tier) const override {
    const auto tiers = collection_->scheme().tiers();
    return tier < tiers.size() ? tiers[tier].name : std::string();
  }

  Result<AlignedText> align(std::string_view text, const std::string& id) const override {
    AKIN_TRY(WordSequence words, read_words(text, collection_->dictionary()));
    AKIN_TRY(const auto aligner, TextAligner::of(std::move(words), collection_->shared_dictionary()));
    AKIN_TRY(const std::string stored, snapshot_->text(id));
    return aligner->align(stored);
  }

  Result<Revision> last_revision() const override {
    AKIN_TRY(const StoreStats stats, snapshot_->stats());
    return stats.last_revision;
  }

  Result<std::vector<Arrival>> after(Revision revision, std::size_t limit) const override {
    AKIN_TRY(std::vector<DocumentRecord> records, snapshot_->changes(revision, limit));
    std::vector<Arrival> arrivals;
    arrivals.reserve(records.size());
    for (DocumentRecord& record : records) {
      AKIN_TRY(FeatureSequence features,
               join_tiers([&](std::size_t tier) { return snapshot_->features_in(record.id, tier); }));
      arrivals.push_back({std::move(record), std::move(features)});
    }
    return arrivals;
  }

 private:
  /// The features that `read` returns for each tier.
  template <class Read>
  [[nodiscard]] Result<FeatureSequence> join_tiers(const Read& read) const {
    const std::size_t tiers = std::max<std::size_t>(1, collection_->scheme().tiers().size());
    AKIN_TRY(FeatureSequence all, read(0));
    all.tier_sizes = {all.hashes.size()};
    for (std::size_t tier = 1; tier < tiers; ++tier) {
      AKIN_TRY(const FeatureSequence part, read(tier));
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
