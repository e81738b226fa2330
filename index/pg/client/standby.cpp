#include "index/pg/client/standby.h"

#include <algorithm>

namespace akin::pg {
namespace {

/// A role without pg_read_all_stats sees of pg_stat_wal_receiver only whether there is one.
constexpr const char* kRead =
    "SELECT pg_is_in_recovery()::int::bigint,"
    " CASE WHEN pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn()"
    " AND EXISTS (SELECT FROM pg_stat_wal_receiver) THEN 0"
    " ELSE (extract(epoch FROM clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(),"
    " (SELECT checkpoint_time FROM pg_control_checkpoint()))) * 1000000)::bigint END,"
    " greatest(coalesce(pg_last_wal_receive_lsn() - pg_last_wal_replay_lsn(), 0), 0)::bigint";

}  // namespace

Result<std::optional<Staleness>> read_staleness(Connection& connection) {
  if (!connection.is_standby()) return std::optional<Staleness>();
  AKIN_TRY(const Rows rows, connection.run(kRead));
  // It may have been promoted since the connection last heard of it.
  if (rows.number(0, 0) == 0) return std::optional<Staleness>();
  return std::optional(Staleness{std::chrono::microseconds(std::max<std::int64_t>(rows.number(0, 1), 0)),
                                 static_cast<std::uint64_t>(rows.number(0, 2))});
}

}  // namespace akin::pg
