#pragma once

#include <memory>

#include "index/pg/connection.h"
#include "index/pg/schema.h"
#include "index/store.h"

namespace akin::pg {

/// The store as it is now: a REPEATABLE READ transaction on a connection of its own.
[[nodiscard]] Result<std::unique_ptr<Snapshot>> open_snapshot(const std::shared_ptr<Pool>& pool,
                                                              StoreNumber store,
                                                              const StoreIdentity& identity);

}  // namespace akin::pg
