// Stores that nobody will ever use: what a job that was killed had begun to build.
#pragma once

#include <cstdint>

#include "index/pg/connection.h"

namespace akin::pg {

/// Retires the stores that are no collection's and that no job builds; they are dropped as replaced ones are.
/// Returns how many. Rests on this: whoever makes a store in one transaction and a collection of it in a
/// later one holds a lock of jobs (pg_advisory_lock(4704133, …)) of this database from before the first to
/// behind the second. Outside of a transaction.
[[nodiscard]] Result<std::uint64_t> retire_orphans(Connection& connection);

}  // namespace akin::pg
