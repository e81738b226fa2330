#include "index/pg/client/sessions.h"

#include <algorithm>
#include <memory>

namespace akin::pg {
namespace {

Result<std::int64_t> session_of(Connection& connection) {
  AKIN_TRY(const Rows rows, connection.run_once("SELECT pg_backend_pid()::bigint"));
  return rows.number(0, 0);
}

/// A role without pg_read_all_stats sees of pg_stat_wal_receiver only whether there is one.
constexpr const char* kRead =
    "SELECT pg_is_in_recovery()::int::bigint,"
    " CASE WHEN pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn()"
    " AND EXISTS (SELECT FROM pg_stat_wal_receiver) THEN 0"
    " ELSE (extract(epoch FROM clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(),"
    " (SELECT checkpoint_time FROM pg_control_checkpoint()))) * 1000000)::bigint END,"
    " greatest(coalesce(pg_last_wal_receive_lsn() - pg_last_wal_replay_lsn(), 0), 0)::bigint";

}  // namespace

Result<void> require_own_sessions(Connection& connection, const std::string& conninfo) {
  AKIN_TRY(const std::int64_t before, session_of(connection));
  // A pooler invents the number that it gives a client at login.
  if (before == connection.session_at_login()) return {};
  // The other connection's transaction occupies the session that this one would get again otherwise.
  AKIN_TRY(const std::unique_ptr<Connection> other, Connection::open(conninfo));
  const Result<void> begun = other->command("BEGIN");
  // PgBouncer's words; it has no SQLSTATE of its own for them.
  if (begun.has_error() && begun.error().reason.find("statement pooling mode") != std::string::npos)
    return pooled_transactions();
  AKIN_CHECK(begun);
  AKIN_CHECK(session_of(*other));
  AKIN_TRY(const std::int64_t after, session_of(connection));
  AKIN_CHECK(other->command("ROLLBACK"));
  if (after == before) return {};
  return pooled_transactions();
}

Result<std::optional<Staleness>> read_staleness(Connection& connection) {
  if (!connection.is_standby()) return std::optional<Staleness>();
  AKIN_TRY(const Rows rows, connection.run(kRead));
  // It may have been promoted since the connection last heard of it.
  if (rows.number(0, 0) == 0) return std::optional<Staleness>();
  return std::optional(Staleness{std::chrono::microseconds(std::max<std::int64_t>(rows.number(0, 1), 0)),
                                 static_cast<std::uint64_t>(rows.number(0, 2))});
}

}  // namespace akin::pg
