// The store over a cluster of OpenSearch or Elasticsearch: the same interface and the same answers as LMDB's,
// for collections that are larger than one machine.
#pragma once

#include <memory>

#include "index/opensearch/documents/document_reader.h"
#include "index/opensearch/documents/writer.h"
#include "index/store/document_check.h"

namespace akin::opensearch {

/// What all snapshots of a store share.
struct OfStore {
  StoreSerial serial;
  std::shared_ptr<PartCache> parts;
  DeriveFeatures derive;  ///< null: sequences that follow from texts cannot be read
};
[[nodiscard]] std::unique_ptr<Snapshot> make_snapshot(std::shared_ptr<const View> view, OfStore store);

/// As Snapshot::verify, except for what listens. The postings of each document are compared with its sequence
/// by a search for its features: X must be their number.
[[nodiscard]] Result<std::uint64_t> verify_store(const Snapshot& snapshot, const View& view,
                                                 DocumentReader& documents, const VerifyListener& listener);

/// Any number of threads, processes and machines may read and write one store at once. Beyond what Store
/// promises:
/// - Writers take turns (head.h). Removed and replaced documents are invisible immediately, and erased with
///   later writes.
/// - For pairs, groups and the list of common features a snapshot reads all documents once, into scratch
///   files.
/// - Errors of all members also: those of Client. After `unavailable` a write may have been made or not: a
///   put may be sent again.
class ClusterStore final : public Writer {
 public:
  /// Makes the catalog's index if it is missing, and an empty store that keeps the dictionaries `packed`, if
  /// any.
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> create(
      const std::shared_ptr<Client>& client, const StoreIdentity& identity,
      std::optional<std::string_view> packed = {});
  /// Errors: not_found, mismatch; corrupt (the index and the catalog are of different times).
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> open(const std::shared_ptr<Client>& client,
                                                                  const StoreName& name);
  /// One that is there, unchecked.
  ClusterStore(const StoreIndex& index, StoreIdentity identity)
      : Writer(index, std::move(identity)), views_(index) {}

  [[nodiscard]] const StoreName& name() const noexcept { return index_.store; }
  [[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot() const override;

 private:
  const StoreSerial serial_ = next_store_serial();
  mutable Views views_;
  const std::shared_ptr<PartCache> parts_ = std::make_shared<PartCache>();
};

}  // namespace akin::opensearch
