// The tables of a store's content: in its own database, or over shards by postgres_fdw.
#pragma once

#include "index/pg/content.h"
#include "index/pg/names.h"
#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// Creates a store's content tables as the database's topology requires, inside a transaction of
/// `connection`. Tables on shards are created immediately, and are orphans if the transaction does not
/// commit.
[[nodiscard]] Result<void> make_content(Connection& connection, Pool& pool, StoreNumber store,
                                        const ContentColumns& columns);

/// Drops a store's content tables, or their foreign tables, in its own database.
[[nodiscard]] Result<void> drop_content_here(Connection& connection, const Parts& parts, StoreNumber store);

/// Drops a store's tables on its shards, if it has any.
[[nodiscard]] Result<void> drop_content(const Parts& parts, StoreNumber store);

}  // namespace akin::pg
