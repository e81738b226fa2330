#include "server/watch/arrivals.h"

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

  Result<FeatureSequence> analyze(std::string_view text) const override { return collection_->analyze(text); }

  Result<Revision> last_revision() const override {
    AKIN_TRY(const StoreStats stats, snapshot_->stats());
    return stats.last_revision;
  }

  Result<std::vector<Arrival>> after(Revision revision, std::size_t limit) const override {
    AKIN_TRY(std::vector<DocumentRecord> records, snapshot_->changes(revision, limit));
    std::vector<Arrival> arrivals;
    arrivals.reserve(records.size());
    for (DocumentRecord& record : records) {
      AKIN_TRY(FeatureSequence features, snapshot_->features(record.id));
      arrivals.push_back({std::move(record), std::move(features)});
    }
    return arrivals;
  }

 private:
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
