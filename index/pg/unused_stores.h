// Stores that are no collection's any more, or never became one's.
#pragma once

#include <string>

#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// Drops stores that were replaced ten minutes ago or earlier, and those whose making was cut short, with
/// what is left of either on shards that can be reached.
[[nodiscard]] Result<void> drop_unused_stores(Pool& pool);

/// Calls a function of the advisory lock of a store that is being made, "pg_try_advisory_lock" for one;
/// whether it did what it is for. While a session holds it, nobody takes the store for one whose making was
/// cut short.
[[nodiscard]] Result<bool> lock_store(Connection& connection, StoreNumber store, const std::string& function);

}  // namespace akin::pg
