// The store over PostgreSQL: the same interface and the same answers as LMDB's, for collections that outgrow
// one process's disk or serve several akin servers.
#pragma once

#include <memory>

#include "index/pg/parts.h"
#include "index/pg/pool.h"
#include "index/pg/schema.h"
#include "index/store.h"

namespace akin::pg {

/// Any number of threads, processes and machines may read and write one store at once. Beyond what Store
/// promises:
/// - Content is written at the same time by all; changes of the directory follow one another (Batch).
/// - What is removed or replaced is erased in bulk (erasure.h); it is invisible at once.
/// - A damaged document can be replaced and removed.
/// - settle erases what is gone and writes hints anew; answers do not depend on them.
/// - Errors of all members also: those of Connection. After `io` in a write it may have been done or not: a
///   put may be sent again.
class PgStore : public Store {
 public:
  /// Makes akin's schema where it is missing, and an empty store in it.
  [[nodiscard]] static Result<std::shared_ptr<PgStore>> create(const std::shared_ptr<Pool>& pool,
                                                               const StoreIdentity& identity);
  /// Errors: not_found, mismatch.
  [[nodiscard]] static Result<std::shared_ptr<PgStore>> open(const std::shared_ptr<Pool>& pool,
                                                             StoreNumber number);

  [[nodiscard]] virtual StoreNumber number() const noexcept = 0;
  [[nodiscard]] virtual const Parts& parts() const noexcept = 0;
};

}  // namespace akin::pg
