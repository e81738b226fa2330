// The store over PostgreSQL: the same interface and the same answers as LMDB's, for collections that several
// akin servers share.
#pragma once

#include <memory>

#include "index/pg/client/pool.h"
#include "index/pg/tables/schema.h"
#include "index/write/deriving_store.h"

namespace akin::pg {

/// Any number of threads, processes and machines may read and write one store at once. Beyond what Store
/// promises:
/// - Content is written concurrently; changes of the directory are serialised (Batch).
/// - Removed and replaced documents are invisible immediately, and erased in bulk (merge.h).
/// - A damaged document can be replaced and removed.
/// - flush_and_merge also erases removed documents.
/// - Errors of all members also: those of Connection. After `io` a write may have been committed or not: a
///   put may be sent again.
class PgStore : public DerivingStore {
 public:
  /// Creates akin's schema if it is missing, and an empty store in it.
  [[nodiscard]] static Result<std::shared_ptr<PgStore>> create(const std::shared_ptr<Pool>& pool,
                                                               const StoreIdentity& identity);
  /// Errors: not_found, mismatch.
  [[nodiscard]] static Result<std::shared_ptr<PgStore>> open(const std::shared_ptr<Pool>& pool,
                                                             StoreNumber number);

  [[nodiscard]] virtual StoreNumber number() const noexcept = 0;

 protected:
  explicit PgStore(StoreIdentity identity) : DerivingStore(std::move(identity), {.derives = true}) {}
};

}  // namespace akin::pg
