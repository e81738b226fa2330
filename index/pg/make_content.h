// The tables of a store's content: in its own database, over shards by postgres_fdw, or over Citus.
#pragma once

#include "index/pg/names.h"
#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// Makes a store's content tables where the database's topology wants them, inside of a transaction of
/// `connection`. Tables on shards are made at once, and are orphans if the transaction does not commit.
[[nodiscard]] Result<void> make_content(Connection& connection, Pool& pool, StoreNumber store);

/// Drops a store's tables on its shards, if it has any; none is no error.
[[nodiscard]] Result<void> drop_content(const Parts& parts, StoreNumber store);

}  // namespace akin::pg
