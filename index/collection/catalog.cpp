#include "index/collection/catalog.h"

namespace akin {

Result<CollectionSummary> Catalog::describe(std::string_view name) {
  AKIN_TRY(const std::shared_ptr<Collection> collection, get(name));
  AKIN_TRY(const std::unique_ptr<Snapshot> snapshot, collection->snapshot());
  CollectionSummary summary{collection->identity(), {}, {}};
  AKIN_TRY(summary.stats, snapshot->stats());
  AKIN_TRY(summary.expires, expiry(name));
  return summary;
}

}  // namespace akin
