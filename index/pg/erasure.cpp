#include "index/pg/erasure.h"

#include <limits>
#include <vector>

#include "base/time.h"
#include "index/pg/content.h"
#include "index/pg/entry.h"
#include "index/pg/schema.h"

namespace akin::pg {
namespace {

constexpr std::int64_t kStep = 2'000;
/// Writing that has not ended after this will find its numbers gone, and fail.
constexpr std::int64_t kMostPending = std::int64_t{10} * 60 * 1'000'000;

/// Numbers that went in transactions before this one are seen by no snapshot on the coordinator: one may open
/// its transaction on a shard much later than its own, and must still find there what it can see. 0 where
/// sessions of other roles cannot be looked at. Its answer is right in a transaction's first statement only:
/// age() counts from the transaction's own number where it has one.
constexpr const char* kHorizon =
    "SELECT CASE WHEN bool_or(backend_type = 'client backend' AND state IS NULL) THEN 0 ELSE"
    " least(pg_snapshot_xmin(pg_current_snapshot())::text::bigint,"
    "       pg_snapshot_xmax(pg_current_snapshot())::text::bigint - coalesce(max(age(backend_xmin)), 0)) END"
    " FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// Begins a transaction; the numbers to erase are locked until it ends.
Result<std::vector<std::int64_t>> take_gone(Connection& connection, const Parts& parts, StoreNumber store) {
  std::int64_t horizon = std::numeric_limits<std::int64_t>::max();
  AKIN_CHECK(begin(connection));
  if (!parts.is_local()) {
    AKIN_TRY(const Rows rows, connection.run(kHorizon));
    if (!rows.is_null(0, 0)) horizon = rows.number(0, 0);
  }
  AKIN_TRY(
      const Rows rows,
      connection.run(of_store("SELECT doc FROM akin.g_@ WHERE (pending = 0 OR since < $1)"
                              " AND xid::text::bigint < $2 ORDER BY doc LIMIT $3 FOR UPDATE SKIP LOCKED",
                              store),
                     Params().number(microseconds(time_now()) - kMostPending).number(horizon).number(kStep)));
  std::vector<std::int64_t> numbers;
  numbers.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) numbers.push_back(rows.number(row, 0));
  return numbers;
}

Result<void> erase_on_shards(const Parts& parts, StoreNumber store, std::span<const std::int64_t> numbers) {
  for (std::size_t part = 0; part < parts.size(); ++part) {
    AKIN_TRY(const Pool::Lease shard, parts.lease(part));
    AKIN_CHECK(begin(*shard));
    AKIN_CHECK(erase_content(*shard, store, numbers));
    AKIN_CHECK(commit(*shard));
  }
  return {};
}

}  // namespace

Result<std::uint64_t> erase_gone(Pool& pool, const Parts& parts, StoreNumber store) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  std::uint64_t erased = 0;
  for (;;) {
    AKIN_TRY(const std::vector<std::int64_t> numbers, take_gone(*connection, parts, store));
    if (numbers.empty()) {
      AKIN_CHECK(commit(*connection));
      return erased;
    }
    AKIN_CHECK(parts.is_local() ? erase_content(*connection, store, numbers)
                                : erase_on_shards(parts, store, numbers));
    AKIN_CHECK(connection->run(of_store("DELETE FROM akin.g_@ WHERE doc = ANY($1)", store),
                               Params().numbers(numbers)));
    AKIN_CHECK(commit(*connection));
    erased += numbers.size();
  }
}

}  // namespace akin::pg
