// The store over a cluster of OpenSearch or Elasticsearch: the same interface and the same answers as LMDB's,
// for collections that are larger than one machine.
#pragma once

#include <memory>

#include "index/opensearch/documents/head.h"
#include "index/store/store.h"

namespace akin::opensearch {

/// Any number of threads, processes and machines may read and write one store at once. Beyond what Store
/// promises:
/// - Writers take turns (head.h). Removed and replaced documents are invisible immediately, and erased with
/// later
///   writes.
/// - For pairs, groups and the list of common features a snapshot reads all documents once, into scratch
///   files.
/// - Errors of all members also: those of Client. After `unavailable` a write may have been made or not: a
/// put may
///   be sent again.
class ClusterStore : public Store {
 public:
  /// Makes the catalog's index if it is missing, and an empty store. `dictionary` as Head::dictionary.
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> create(const std::shared_ptr<Client>& client,
                                                                    const StoreIdentity& identity,
                                                                    const std::string& dictionary = "");
  /// Errors: not_found, mismatch; corrupt (the index and the catalog are of different times).
  [[nodiscard]] static Result<std::shared_ptr<ClusterStore>> open(const std::shared_ptr<Client>& client,
                                                                  const StoreName& name);

  [[nodiscard]] virtual const StoreName& name() const noexcept = 0;
  /// As Writer's.
  [[nodiscard]] virtual Result<void> erase() = 0;
  [[nodiscard]] virtual Result<Revision> stop_others() = 0;
  [[nodiscard]] virtual Result<void> retire(const StoreName& successor) = 0;
};

}  // namespace akin::opensearch
