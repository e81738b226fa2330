#include "index/opensearch/store.h"

#include <utility>

#include "base/files.h"
#include "base/set_once.h"
#include "index/opensearch/documents/writer.h"
#include "index/opensearch/snapshot.h"
#include "index/write/prepared_document.h"

namespace akin::opensearch {
namespace {

class ClusterStoreImpl final : public ClusterStore {
 public:
  ClusterStoreImpl(const std::shared_ptr<Client>& client, StoreName name, StoreIdentity identity)
      : name_(std::move(name)),
        identity_(std::move(identity)),
        views_(client, name_),
        writer_(client, name_) {}

  const StoreIdentity& identity() const noexcept override { return identity_; }
  const StoreName& name() const noexcept override { return name_; }

  Result<PreparedDocument> prepare(NewDocument document) const override {
    const StoredForm form{.hashes = HashWidth::whole,
                          .words = keeps_words() ? &derivation_.get()->words : nullptr};
    return akin::prepare(std::move(document), identity_, form);
  }

  Result<WriteResults> write(std::span<Change> changes, WriteMode mode) override {
    AKIN_TRY(WriteResults results, refusals(changes, mode));
    if (are_all_refused(results)) return results;
    return writer_.write(changes, mode);
  }

  void derive_by(Derivation derivation) override { derivation_.set(std::move(derivation)); }
  bool keeps_words() const override {
    const Derivation* const derivation = derivation_.get();
    return identity_.store_text && derivation != nullptr && derivation->words;
  }

  Result<void> continue_after(Revision revision) override {
    AKIN_CHECK(check_revision(revision));
    return writer_.continue_after(revision);
  }

  Result<void> flush_and_merge(bool everything) override { return writer_.erase(everything); }
  Result<void> erase() override { return writer_.erase(false); }
  Result<Revision> stop_others() override { return writer_.stop_others(); }
  Result<void> retire(const StoreName& successor) override { return writer_.retire(successor); }

  Result<std::unique_ptr<Snapshot>> snapshot() const override {
    AKIN_TRY(std::shared_ptr<const View> view, views_.now());
    return make_snapshot(std::move(view), serial_);
  }

 private:
  const StoreName name_;
  const StoreSerial serial_ = next_store_serial();
  const StoreIdentity identity_;
  SetOnce<Derivation> derivation_;
  mutable Views views_;
  Writer writer_;
};

}  // namespace

Result<std::shared_ptr<ClusterStore>> ClusterStore::create(const std::shared_ptr<Client>& client,
                                                           const StoreIdentity& identity,
                                                           const std::string& dictionary) {
  AKIN_CHECK(make_catalog_index(*client));
  const StoreName name = random_token();
  AKIN_CHECK(make_store_index(*client, name));
  Head head;
  head.identity = identity;
  head.dictionary = dictionary;
  AKIN_CHECK(make_head(*client, name, head));
  return std::shared_ptr<ClusterStore>(std::make_shared<ClusterStoreImpl>(client, name, identity));
}

Result<std::shared_ptr<ClusterStore>> ClusterStore::open(const std::shared_ptr<Client>& client,
                                                         const StoreName& name) {
  AKIN_TRY(const std::shared_ptr<const View> view, View::open(client, name));
  AKIN_CHECK(check_content(*view));
  return std::shared_ptr<ClusterStore>(
      std::make_shared<ClusterStoreImpl>(client, name, view->head().identity));
}

}  // namespace akin::opensearch
