#include "index/pg/topology.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/files.h"
#include "index/pg/foreign_server.h"
#include "index/pg/format.h"
#include "index/pg/schema.h"
#include "index/pg/sessions.h"

namespace akin::pg {
namespace {

constexpr std::array<const char*, 2> kKindNames{"single", "shards"};
/// Taken in the coordinator and in every shard: a database that is listed twice, or is both, cannot be locked
/// twice.
const std::string kLock =
    "SET LOCAL lock_timeout = '3s'; SELECT " + call_of("pg_advisory_xact_lock", AdvisoryLock::topology);

// Compiling a statement takes longer than a search. The setting is the role's, because poolers refuse
// settings that come with a login.
constexpr const char* kMakeShard =
    "DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET jit = off', current_database());"
    " END $$;"
    "CREATE SCHEMA IF NOT EXISTS akin;"
    "CREATE TABLE IF NOT EXISTS akin.shard_of (cluster bytea NOT NULL, shard bigint NOT NULL)";

std::string shard_name(std::size_t number) { return "shard " + std::to_string(number); }

/// An error of a shard's own connection, under the shard's name.
Error of_shard(const Error& error, std::size_t number) {
  return Error{error.code, shard_name(number) + ", " + error.what, error.reason, error.remedy};
}

/// An error of the coordinator's own part; what the role lacks there only a superuser can grant.
Error of_coordinator(const Error& error) {
  const bool lacks = error.code == Errc::forbidden;
  return Error{
      error.code, "coordinator, " + error.what, error.reason,
      lacks ? "a superuser runs the output of akin store roles in the coordinator's database" : error.remedy};
}

Result<std::int64_t> ask_number(Connection& connection, const std::string& sql, const Params& params = {}) {
  AKIN_TRY(const Rows rows, connection.run(sql, params));
  return rows.size() == 0 ? 0 : rows.number(0, 0);
}

Result<bool> has_table(Connection& connection, const std::string& name) {
  AKIN_TRY(const std::int64_t there, ask_number(connection,
                                                "SELECT count(*) FROM pg_tables WHERE schemaname"
                                                " = 'akin' AND tablename = convert_from($1, 'UTF8')",
                                                Params().bytes(name)));
  return there != 0;
}

Result<void> lock(Connection& connection) {
  // A session that has just ended may still hold it for a moment.
  Result<void> locked = connection.command(kLock);
  if (!locked.has_error() || locked.error().code != Errc::busy) return locked;
  return Error{Errc::busy, "database", "another init is running on it, or it is listed twice",
               "give every shard, and the coordinator, a database of its own"};
}

Result<void> check_version(Connection& connection) {
  AKIN_TRY(const std::int64_t version,
           ask_number(connection, "SELECT current_setting('server_version_num')::bigint"));
  if (version >= kOldestServer) return {};
  return Error{Errc::mismatch, "database", "its server is older than PostgreSQL 15", "upgrade it"};
}

Result<void> make_foreign_wrapper(Connection& connection) {
  AKIN_TRY(
      const std::int64_t available,
      ask_number(connection, "SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'"));
  if (available == 0) {
    return Error{Errc::unsupported, "extension postgres_fdw", "it is not installed on the database's server",
                 "install its package there"};
  }
  return connection.command("CREATE EXTENSION IF NOT EXISTS postgres_fdw");
}

/// The cluster's name is committed before any shard gets it.
Result<void> name_cluster(Connection& connection) {
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(lock(connection));
  AKIN_TRY(const bool is_shard, has_table(connection, "shard_of"));
  if (is_shard) {
    return Error{Errc::mismatch, "database", "it is a shard of a cluster", "give the coordinator's address"};
  }
  AKIN_CHECK(
      connection.run("INSERT INTO akin.topology SELECT 'single', $1"
                     " WHERE NOT EXISTS (SELECT FROM akin.topology)",
                     Params().bytes(random_token() + random_token())));
  return commit(connection);
}

Result<void> check_change(const Topology& known, const TopologyRequest& request) {
  if (known.kind != request.kind && known.kind != TopologyKind::single) {
    return Error{Errc::mismatch, "database", std::string("its topology is ") + topology_name(known.kind),
                 "copy the collections into another one: akin store copy"};
  }
  if (request.shards.size() < known.shards.size()) {
    return Error{Errc::mismatch, "shards",
                 "there are " + std::to_string(known.shards.size()) + ", and none can be removed",
                 "name them all, in the same order, and new ones after them"};
  }
  if (request.kind == TopologyKind::shards && request.shards.empty()) {
    return Error{Errc::invalid_argument, "shards", "none is given", "give one connection string or more"};
  }
  return {};
}

/// The shard's row, `known` of its cluster or new in it; inside of a transaction of the shard.
Result<void> claim_locked(Connection& connection, const Topology& known, std::size_t number) {
  AKIN_TRY(const bool is_store, has_table(connection, "collections"));
  if (is_store) {
    return Error{Errc::mismatch, "database", "collections are in it", "give the shard a database of its own"};
  }
  AKIN_CHECK(connection.command(kMakeShard));
  const bool is_known = number < known.shards.size();
  const auto own = static_cast<std::int64_t>(number);
  AKIN_TRY(const Rows rows, connection.run("SELECT cluster, shard FROM akin.shard_of"));
  if (rows.size() == 0) {
    if (is_known) {
      return Error{Errc::mismatch, "database", "it is not the shard that holds the cluster's data",
                   "name the shards in the order they have, and new ones after them"};
    }
    AKIN_CHECK(connection.run("INSERT INTO akin.shard_of VALUES ($1, $2)",
                              Params().bytes(known.cluster).number(own)));
    return {};
  }
  if (rows.bytes(0, 0) != known.cluster) {
    return Error{Errc::mismatch, "database", "it is a shard of another cluster",
                 "give the shard a database of its own"};
  }
  const std::int64_t said = rows.number(0, 1);
  if (said == own) return {};
  if (is_known || said < static_cast<std::int64_t>(known.shards.size())) {
    return Error{Errc::mismatch, "database", "it is shard " + std::to_string(said) + " of this cluster",
                 "name the shards in the order they have, and new ones after them"};
  }
  // An unfinished init had assigned this number.
  AKIN_CHECK(connection.run("UPDATE akin.shard_of SET shard = $1", Params().number(own)));
  return {};
}

/// A connection with a transaction that has written the shard's identity.
Result<std::unique_ptr<Connection>> claim(const std::string& conninfo, const Topology& known,
                                          std::size_t number) {
  AKIN_TRY(std::unique_ptr<Connection> connection, Connection::open(conninfo));
  AKIN_CHECK(require_own_sessions(*connection, conninfo));
  AKIN_CHECK(check_version(*connection));
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(lock(*connection));
  AKIN_CHECK(claim_locked(*connection, known, number));
  return connection;
}

/// The coordinator's entries for one shard.
Result<void> enter_shard(Connection& connection, std::size_t number,
                         const std::vector<ConnectionOption>& options) {
  const std::string digits = std::to_string(number);
  const std::string server = "akin_shard_" + digits;
  AKIN_CHECK(set_foreign_server(connection, server, options));
  AKIN_CHECK(connection.run(
      "INSERT INTO akin.shards VALUES ($1, convert_from($2, 'UTF8'),"
      " convert_from($3, 'UTF8')) ON CONFLICT (shard) DO UPDATE"
      " SET conninfo = excluded.conninfo",
      Params().number(static_cast<std::int64_t>(number)).bytes(server).bytes(conninfo_of(options))));
  return connection.command("CREATE FOREIGN TABLE IF NOT EXISTS akin.shard_of_" + digits +
                            " (cluster bytea, shard bigint) SERVER " + server +
                            " OPTIONS (schema_name 'akin', table_name 'shard_of')");
}

/// Whether the coordinator reaches the shard.
Result<void> ask_shard(Connection& connection, const Topology& known, std::size_t number) {
  const std::string table = "akin.shard_of_" + std::to_string(number);
  AKIN_TRY(const Rows rows, connection.run("SELECT cluster, shard FROM " + table));
  if (rows.size() == 1 && rows.bytes(0, 0) == known.cluster &&
      rows.number(0, 1) == static_cast<std::int64_t>(number))
    return {};
  return Error{
      Errc::mismatch, "database", "the coordinator reaches another database at its address",
      "give an address that leads to the same database from the coordinator's machine and from this one"};
}

/// A standby of a shard lacks the content of the newest documents.
Result<void> require_writable(const std::vector<ConnectionOption>& options) {
  const auto value_of = [&](std::string_view keyword) -> std::string_view {
    const auto found = std::ranges::find(options, keyword, &ConnectionOption::keyword);
    return found == options.end() ? std::string_view() : std::string_view(found->value);
  };
  const std::string_view wanted = value_of("target_session_attrs");
  const bool is_one = value_of("host").find(',') == std::string_view::npos &&
                      value_of("hostaddr").find(',') == std::string_view::npos;
  if (wanted == "read-write" || wanted == "primary" || (is_one && (wanted.empty() || wanted == "any")))
    return {};
  return Error{Errc::invalid_argument, "connection string", "it may lead to a standby of the shard",
               "add target_session_attrs=read-write to it"};
}

Result<void> init_shards(Connection& connection, const Topology& known,
                         const std::vector<std::string>& conninfos) {
  if (const auto made = make_foreign_wrapper(connection); made.has_error())
    return of_coordinator(made.error());
  std::vector<std::vector<ConnectionOption>> options;
  std::vector<std::unique_ptr<Connection>> claims;
  for (std::size_t number = 0; number < conninfos.size(); ++number) {
    auto parsed = parse_conninfo(conninfos[number]);
    if (parsed.has_error()) return of_shard(parsed.error(), number);
    if (const auto writable = require_writable(*parsed); writable.has_error())
      return of_shard(writable.error(), number);
    add_time_limits(*parsed);
    options.push_back(*std::move(parsed));
    auto claimed = claim(conninfo_of(options.back()), known, number);
    if (claimed.has_error()) return of_shard(claimed.error(), number);
    claims.push_back(*std::move(claimed));
  }
  for (std::size_t number = 0; number < claims.size(); ++number) {
    const auto committed = commit(*claims[number]);
    if (committed.has_error()) return of_shard(committed.error(), number);
  }
  for (std::size_t number = 0; number < claims.size(); ++number) {
    const auto entered = enter_shard(connection, number, options[number]);
    if (entered.has_error()) return of_coordinator(entered.error());
    const auto asked = ask_shard(connection, known, number);
    if (!asked.has_error()) continue;
    Error error = asked.error();
    error.what = "through the coordinator, " + error.what;
    return of_shard(error, number);
  }
  return {};
}

}  // namespace

const char* topology_name(TopologyKind kind) noexcept {
  return kKindNames.at(static_cast<std::size_t>(kind));
}

Result<Topology> read_topology(Connection& connection) {
  AKIN_TRY(const bool is_there, has_table(connection, "topology"));
  if (!is_there) return Topology();
  AKIN_TRY(const Rows rows, connection.run("SELECT kind, cluster FROM akin.topology"));
  if (rows.size() == 0) return Topology();
  Topology topology;
  topology.cluster = rows.bytes(0, 1);
  std::size_t kind = 0;
  while (kind < kKindNames.size() && rows.bytes(0, 0) != kKindNames.at(kind)) ++kind;
  if (kind == kKindNames.size() || rows.size() > 1) {
    return Error{Errc::corrupt, "akin.topology", "it is not one row of a known kind", "restore a backup"};
  }
  topology.kind = static_cast<TopologyKind>(kind);
  if (topology.kind != TopologyKind::shards) return topology;
  AKIN_TRY(const Rows shards,
           connection.run("SELECT shard, server, conninfo FROM akin.shards ORDER BY shard"));
  for (std::size_t row = 0; row < shards.size(); ++row) {
    topology.shards.push_back(
        {shards.number(row, 0), std::string(shards.bytes(row, 1)), std::string(shards.bytes(row, 2))});
  }
  return topology;
}

Result<void> init_topology(const std::string& conninfo, const TopologyRequest& request) {
  AKIN_CHECK(parse_conninfo(conninfo));
  AKIN_TRY(const std::unique_ptr<Connection> connection, Connection::open(conninfo));
  AKIN_CHECK(require_own_sessions(*connection, conninfo));
  AKIN_CHECK(check_version(*connection));
  AKIN_CHECK(make_schema(*connection));
  AKIN_CHECK(name_cluster(*connection));
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(lock(*connection));
  AKIN_TRY(const Topology known, read_topology(*connection));
  AKIN_CHECK(check_change(known, request));
  if (request.kind == TopologyKind::shards) AKIN_CHECK(init_shards(*connection, known, request.shards));
  AKIN_CHECK(connection->run("UPDATE akin.topology SET kind = convert_from($1, 'UTF8')",
                             Params().bytes(topology_name(request.kind))));
  return commit(*connection);
}

}  // namespace akin::pg
