#include "index/opensearch/store.h"

#include <utility>

#include "base/files.h"
#include "index/opensearch/catalog/entry.h"

namespace akin::opensearch {

Result<std::shared_ptr<ClusterStore>> ClusterStore::create(const std::shared_ptr<Client>& client,
                                                           const StoreIdentity& identity,
                                                           std::optional<std::string_view> packed) {
  AKIN_CHECK(make_catalog_index(*client));
  const StoreIndex index{client, random_token()};
  AKIN_CHECK(index.make());
  Head first;
  first.identity = identity;
  if (packed) {
    AKIN_TRY(first.dictionary, keep_dictionary(*client, *packed));
  }
  AKIN_CHECK(write_head(*client, index.store, first));
  return std::make_shared<ClusterStore>(index, identity);
}

Result<std::shared_ptr<ClusterStore>> ClusterStore::open(const std::shared_ptr<Client>& client,
                                                         const StoreName& name) {
  AKIN_TRY(const std::shared_ptr<const View> view, View::open({client, name}));
  AKIN_CHECK(view->check_content());
  return std::make_shared<ClusterStore>(StoreIndex{client, name}, view->head().identity);
}

Result<std::unique_ptr<Snapshot>> ClusterStore::snapshot() const {
  AKIN_TRY(std::shared_ptr<const View> view, views_.now());
  parts_->note_committed(view->head().committed);
  const DeriveFeatures* const features = derive();
  return make_snapshot(std::move(view), {serial_, parts_, features != nullptr ? *features : nullptr});
}

}  // namespace akin::opensearch
