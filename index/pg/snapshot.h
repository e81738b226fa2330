#pragma once

#include <memory>

#include "index/pg/parts.h"
#include "index/pg/pool.h"
#include "index/pg/posting_reader.h"
#include "index/pg/schema.h"
#include "index/store.h"

namespace akin::pg {

/// A store as a process opened it.
struct SnapshotSubject {
  StoreNumber number{};
  StoreSerial serial{};
  StoreIdentity identity;
  StoreAbilities abilities;
  std::shared_ptr<PostingCache> cache;
};

/// The store as of now: a REPEATABLE READ transaction on a connection of its own. Each shard is seen as of
/// its first query, which is later: the directory defines which documents are in this snapshot. If the
/// connection is broken, the transaction is started once more on another.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> open_snapshot(const std::shared_ptr<Pool>& pool,
                                                              const Parts& parts,
                                                              const SnapshotSubject& subject);

}  // namespace akin::pg
