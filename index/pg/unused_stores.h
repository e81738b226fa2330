// Stores that belong to no collection any more, or never did.
#pragma once

#include <string>

#include "index/pg/client/connection.h"
#include "index/pg/client/pool.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// Drops stores that were replaced ten minutes ago or earlier, and those whose creation was interrupted.
[[nodiscard]] Result<void> drop_unused_stores(Pool& pool);

/// Calls a function on the advisory lock of a store that is being made, for example "pg_try_advisory_lock";
/// returns whether it succeeded. While a session holds it, no other takes the store for one whose creation
/// was interrupted.
[[nodiscard]] Result<bool> lock_store(Connection& connection, StoreNumber store, const std::string& function);

}  // namespace akin::pg
