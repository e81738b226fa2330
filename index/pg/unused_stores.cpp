#include "index/pg/unused_stores.h"

#include <optional>

#include "base/background_failures.h"
#include "base/time.h"
#include "index/pg/tables/dictionaries.h"
#include "index/pg/tables/entry.h"
#include "index/pg/tables/format.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {
namespace {

/// How long a replaced generation is kept.
constexpr std::int64_t kRetirement = std::int64_t{10} * 60 * 1'000'000;

/// All unused stores, or the given one if it is unused.
Result<Rows> find_unused(Connection& connection, std::optional<StoreNumber> one) {
  return connection.run(
      "SELECT store FROM akin.stores s WHERE (store = $2 OR $2 = 0)"
      " AND ((retired <> 0 AND retired <= $1) OR (retired = 0"
      " AND NOT EXISTS (SELECT FROM akin.collections c WHERE c.store = s.store)"
      " AND NOT EXISTS (SELECT FROM akin.copies k WHERE k.store = s.store)))",
      Params()
          .number(microseconds(time_now()) - kRetirement)
          .number(one ? static_cast<std::int64_t>(*one) : 0));
}

}  // namespace

Result<bool> lock_store(Connection& connection, StoreNumber store, const std::string& function) {
  AKIN_TRY(
      const Rows rows,
      connection.run("SELECT " + call_of(function, AdvisoryLock::unfinished, "$1::int") + "::int::bigint",
                     Params().number(static_cast<std::int64_t>(store))));
  return rows.number(0, 0) != 0;
}

Result<void> drop_unused_stores(Pool& pool) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_TRY(const Rows rows, find_unused(*connection, std::nullopt));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const StoreNumber store{rows.number(row, 0)};
    AKIN_TRY(const bool alone, lock_store(*connection, store, "pg_try_advisory_lock"));
    if (!alone) continue;
    // It may just have been finished.
    const Result<Rows> still = find_unused(*connection, store);
    Result<void> dropped = !still.has_error() && still->size() > 0 ? drop_store(pool, store) : Result<void>();
    AKIN_CHECK(lock_store(*connection, store, "pg_advisory_unlock"));
    AKIN_CHECK(dropped);
  }
  // One that a store is being made with stays: a later call finds out whether it is used.
  note_failure_of(Round::drop_unused_dictionaries, drop_unused_dictionaries(*connection));
  return {};
}

}  // namespace akin::pg
