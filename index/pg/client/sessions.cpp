#include "index/pg/client/sessions.h"

#include <memory>

namespace akin::pg {
namespace {

Result<std::int64_t> session_of(Connection& connection) {
  AKIN_TRY(const Rows rows, connection.run_once("SELECT pg_backend_pid()::bigint"));
  return rows.number(0, 0);
}

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

}  // namespace akin::pg
