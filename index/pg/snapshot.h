#pragma once

#include <memory>

#include "index/pg/client/pool.h"
#include "index/pg/postings/posting_reader.h"
#include "index/pg/tables/schema.h"
#include "index/store/store.h"

namespace akin::pg {

/// A store as a process opened it.
struct SnapshotSubject {
  StoreNumber number{};
  StoreSerial serial{};
  StoreIdentity identity;
  std::shared_ptr<PostingCache> cache;
  DeriveFeatures derive;  ///< null: sequences that follow from texts cannot be read
};

/// The store as of now: a REPEATABLE READ transaction on a connection of its own. If the connection is
/// broken, the transaction is started once more on another.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> open_snapshot(const std::shared_ptr<Pool>& pool,
                                                              const SnapshotSubject& subject);

}  // namespace akin::pg
