#include "index/opensearch/store.h"

#include <utility>

#include "base/files.h"
#include "index/write/prepared_document.h"

namespace akin::opensearch {

ClusterStore::ClusterStore(const std::shared_ptr<Client>& client, StoreName name, StoreIdentity identity)
    : DerivingStore(std::move(identity), {HashWidth::whole, true}),
      name_(std::move(name)),
      views_(client, name_),
      writer_(client, name_) {}

Result<std::shared_ptr<ClusterStore>> ClusterStore::create(const std::shared_ptr<Client>& client,
                                                           const StoreIdentity& identity,
                                                           const std::string& dictionary) {
  AKIN_CHECK(make_catalog_index(*client));
  const StoreName name = random_token();
  AKIN_CHECK(make_store_index(*client, name));
  HeadAt first;
  first.head.identity = identity;
  first.head.dictionary = dictionary;
  AKIN_CHECK(write_head(*client, name, first));
  return std::make_shared<ClusterStore>(client, name, identity);
}

Result<std::shared_ptr<ClusterStore>> ClusterStore::open(const std::shared_ptr<Client>& client,
                                                         const StoreName& name) {
  AKIN_TRY(const std::shared_ptr<const View> view, View::open(client, name));
  AKIN_CHECK(check_content(*view));
  return std::make_shared<ClusterStore>(client, name, view->head().identity);
}

Result<WriteResults> ClusterStore::write(std::span<Change> changes, WriteMode mode) {
  AKIN_TRY(WriteResults results, refusals(changes, mode));
  if (are_all_refused(results)) return results;
  return writer_.write(changes, mode);
}

Result<void> ClusterStore::continue_after(Revision revision) {
  AKIN_CHECK(check_revision(revision));
  return writer_.continue_after(revision);
}

Result<void> ClusterStore::flush_and_merge(bool everything) {
  AKIN_CHECK(writer_.erase(everything));
  return writer_.merge();
}

Result<std::unique_ptr<Snapshot>> ClusterStore::snapshot() const {
  AKIN_TRY(std::shared_ptr<const View> view, views_.now());
  parts_->note_committed(view->head().committed);
  const DeriveFeatures* const features = derive();
  return make_snapshot(std::move(view), {serial_, parts_, features != nullptr ? *features : nullptr});
}

}  // namespace akin::opensearch
