// The store over PostgreSQL: the same interface and the same answers as LMDB's, for collections that outgrow
// one process's disk or serve several akin servers.
#pragma once

#include <memory>

#include "index/pg/connection.h"
#include "index/pg/schema.h"
#include "index/store.h"

namespace akin::pg {

/// Any number of threads, processes and machines may read and write one store at once. Beyond what Store
/// promises:
/// - Writes into one store follow one another: each holds the store's row until it has committed.
/// - A damaged document can be replaced and removed.
/// - settle writes anew which features many documents have, for searches to be fast; answers do not depend on
/// it.
/// - Errors of all members also: those of Connection. After `io` in a write it may have been done or not: a
/// put
///   may be sent again.
class PgStore : public Store {
 public:
  /// Makes akin's schema where it is missing, and an empty store in it.
  [[nodiscard]] static Result<std::shared_ptr<PgStore>> create(std::shared_ptr<Pool> pool,
                                                               const StoreIdentity& identity);
  /// Errors: not_found, mismatch.
  [[nodiscard]] static Result<std::shared_ptr<PgStore>> open(std::shared_ptr<Pool> pool, StoreNumber number);

  [[nodiscard]] virtual StoreNumber number() const noexcept = 0;
};

}  // namespace akin::pg
