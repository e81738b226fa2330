// The store over a cluster of OpenSearch or Elasticsearch: the same interface and the same answers as LMDB's,
// for collections that are larger than one machine.
#pragma once

#include <memory>

#include "index/opensearch/documents/head.h"
#include "index/opensearch/documents/part_cache.h"
#include "index/opensearch/documents/view.h"
#include "index/opensearch/documents/writer.h"
#include "index/write/deriving_store.h"

namespace akin::opensearch {

/// What all snapshots of a store share.
struct OfStore {
  StoreSerial serial;
  std::shared_ptr<PartCache> parts;
  DeriveFeatures derive;  ///< null: sequences that follow from texts cannot be read
};
[[nodiscard]] std::unique_ptr<Snapshot> make_snapshot(std::shared_ptr<const View> view, OfStore store);

/// Any number of threads, processes and machines may read and write one store at once. Beyond what Store
/// promises:
/// - Writers take turns (head.h). Removed and replaced documents are invisible immediately, and erased with
///   later writes.
/// - For pairs, groups and the list of common features a snapshot reads all documents once, into scratch
///   files.
/// - Errors of all members also: those of Client. After `unavailable` a write may have been made or not: a
///   put may be sent again.
class ClusterStore final : public DerivingStore {
 public:
  /// Makes the catalog's index if it is missing, and an empty store. `dictionary` as Head::dictionary.
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> create(const std::shared_ptr<Client>& client,
                                                                    const StoreIdentity& identity,
                                                                    const std::string& dictionary = "");
  /// Errors: not_found, mismatch; corrupt (the index and the catalog are of different times).
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> open(const std::shared_ptr<Client>& client,
                                                                  const StoreName& name);
  ClusterStore(const std::shared_ptr<Client>& client, StoreName name, StoreIdentity identity);

  [[nodiscard]] const StoreName& name() const noexcept { return name_; }
  /// As Writer's.
  [[nodiscard]] Result<Revision> stop_others() { return writer_.stop_others(); }
  [[nodiscard]] Result<void> retire(const StoreName& successor) { return writer_.retire(successor); }

  [[nodiscard]] Result<WriteResults> write(std::span<Change> changes, WriteMode mode) override;
  [[nodiscard]] Result<void> continue_after(Revision revision) override;
  [[nodiscard]] Result<void> flush_and_merge(bool everything) override;
  [[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot() const override;

 private:
  const StoreName name_;
  const StoreSerial serial_ = next_store_serial();
  mutable Views views_;
  const std::shared_ptr<PartCache> parts_ = std::make_shared<PartCache>();
  Writer writer_;
};

}  // namespace akin::opensearch
