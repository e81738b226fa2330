#include "index/pg/servers/init.h"

#include <memory>

#include "index/pg/client/conninfo.h"
#include "index/pg/client/sessions.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {

Result<void> init_database(const std::string& conninfo) {
  AKIN_CHECK(parse_conninfo(conninfo));
  AKIN_TRY(const std::unique_ptr<Connection> connection, Connection::open(conninfo));
  AKIN_CHECK(require_own_sessions(*connection, conninfo));
  AKIN_TRY(const Rows version, connection->run("SELECT current_setting('server_version_num')::bigint"));
  if (version.number(0, 0) < kOldestServer)
    return Error{Errc::mismatch, "database", "its server is older than PostgreSQL 15", "upgrade it"};
  return make_schema(*connection);
}

}  // namespace akin::pg
