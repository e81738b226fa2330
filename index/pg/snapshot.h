#pragma once

#include <memory>

#include "index/pg/parts.h"
#include "index/pg/pool.h"
#include "index/pg/schema.h"
#include "index/store.h"

namespace akin::pg {

/// The store as it is now: a REPEATABLE READ transaction on a connection of its own. Each shard is seen as it
/// is when it is first asked, which is later: the directory tells which documents are of this snapshot.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> open_snapshot(const std::shared_ptr<Pool>& pool,
                                                              const Parts& parts, StoreNumber store,
                                                              const StoreIdentity& identity);

}  // namespace akin::pg
