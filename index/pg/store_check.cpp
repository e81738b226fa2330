#include "index/pg/store_check.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "index/pg/foreign_server.h"
#include "index/pg/format.h"
#include "index/pg/schema.h"
#include "index/pg/sessions.h"
#include "index/pg/topology.h"

namespace akin::pg {
namespace {

Result<bool> has_relation(Connection& connection, const std::string& name) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT (to_regclass(convert_from($1, 'UTF8')) IS NOT NULL)::int::bigint",
                          Params().bytes(name)));
  return rows.number(0, 0) != 0;
}

/// A pooler that gives each transaction another session loses settings, prepared statements and locks. False
/// if there is one, so that nothing else can be checked.
Result<bool> check_sessions(Connection& connection, const std::string& conninfo, Findings& findings) {
  const Result<void> own = require_own_sessions(connection, conninfo);
  if (!own.has_error()) {
    findings.ok("coordinator: sessions", "prepared statements and locks last");
    return true;
  }
  if (own.error().code != Errc::unsupported) return own.error();
  findings.failed("coordinator: sessions", own.error());
  return false;
}

/// False if the schema is one that this akin cannot read, so that nothing else can be checked.
Result<bool> check_schema(Connection& connection, Findings& findings) {
  const Result<bool> is_there = has_schema(connection);
  if (is_there.has_error()) {
    findings.failed("coordinator: schema akin", is_there.error());
    return false;
  }
  if (!*is_there) {
    findings.expect(false, FindingLevel::failure, "coordinator: schema akin", "missing", "akin store init");
    return true;
  }
  findings.ok("coordinator: schema akin", "version " + std::to_string(kSchemaVersion));
  AKIN_TRY(const Rows counts,
           connection.run("SELECT (SELECT count(*) FROM akin.collections), (SELECT count(*) FROM akin.stores"
                          " WHERE retired = 0)"));
  findings.ok("coordinator: collections", std::to_string(counts.number(0, 0)));
  AKIN_TRY(const Rows copies, connection.run("SELECT count(*) FROM akin.copies"));
  findings.expect(copies.number(0, 0) == 0, FindingLevel::warning, "coordinator: unfinished copies",
                  std::to_string(copies.number(0, 0)), "run the same akin store copy again to continue them");
  return true;
}

/// The identity that the shard reports, over one of the two connections.
Result<void> check_claim(Connection& connection, const std::string& table, const Topology& topology,
                         const Shard& shard, const std::string& what, Findings& findings) {
  AKIN_TRY(const Rows rows, connection.run("SELECT cluster, shard FROM " + table));
  const bool right =
      rows.size() == 1 && rows.bytes(0, 0) == topology.cluster && rows.number(0, 1) == shard.number;
  findings.expect(right, FindingLevel::failure, what,
                  right ? "reached, and is this cluster's" : "reached another database than this shard's",
                  "give the shard's present address: akin store init ADDRESS --shards …");
  return {};
}

/// Checks the direct connection to the shard; returns the facts about its server.
Result<ServerFacts> check_directly(const Topology& topology, const Shard& shard, const std::string& name,
                                   Findings& findings) {
  AKIN_TRY(const std::unique_ptr<Connection> connection, Connection::open(shard.conninfo));
  AKIN_CHECK(check_claim(*connection, "akin.shard_of", topology, shard, name + ": directly", findings));
  AKIN_TRY(const Rows rights, connection->run("SELECT has_schema_privilege('akin', 'CREATE')::int::bigint"));
  findings.expect(rights.number(0, 0) != 0, FindingLevel::failure, name + ": rights",
                  rights.number(0, 0) != 0 ? "may make tables" : "may not make tables in schema akin",
                  "connect to it as the role that owns its schema akin");
  return check_server(*connection, name, findings);
}

void check_shard(Connection& coordinator, const Topology& topology, const Shard& shard,
                 const ServerFacts& expected, Findings& findings) {
  const std::string digits = std::to_string(shard.number);
  const std::string name = "shard " + digits;
  findings.ok(name, shown_conninfo(shard.conninfo));
  const auto through = check_claim(coordinator, "akin.shard_of_" + digits, topology, shard,
                                   name + ": through the coordinator", findings);
  if (through.has_error()) findings.failed(name + ": through the coordinator", through.error());
  const auto facts = check_directly(topology, shard, name, findings);
  if (facts.has_error()) return findings.failed(name + ": directly", facts.error());
  findings.expect(facts->version == expected.version, FindingLevel::warning, name + ": same PostgreSQL",
                  facts->version == expected.version ? "yes" : "differs from the coordinator's",
                  "run one version everywhere, except during an upgrade");
  findings.expect(facts->max_connections >= expected.max_connections, FindingLevel::warning,
                  name + ": connections", std::to_string(facts->max_connections),
                  "max_connections of the coordinator or more: each of its sessions opens one here");
}

/// Removed documents can be erased from shards once no session can see them, for which akin must see the
/// other sessions.
Result<void> check_erasing(Connection& connection, Findings& findings) {
  AKIN_TRY(const Rows rows, connection.run("SELECT pg_has_role('pg_read_all_stats', 'USAGE')::int::bigint"));
  findings.expect(rows.number(0, 0) != 0, FindingLevel::warning, "coordinator: sees other sessions",
                  rows.number(0, 0) != 0 ? "yes" : "not those of other roles",
                  "GRANT pg_read_all_stats TO the role: otherwise removed documents stay on the shards while "
                  "others work");
  return {};
}

/// Checks that every foreign table of every store is on the server of its part's shard.
Result<void> check_parts(Connection& connection, Findings& findings) {
  AKIN_TRY(const bool is_there, has_relation(connection, "akin.parts"));
  if (!is_there) return {};
  AKIN_TRY(const Rows rows,
           connection.run("SELECT count(*), count(*) FILTER (WHERE f.srvname IS DISTINCT FROM s.server)"
                          " FROM akin.parts p JOIN akin.shards s ON s.shard = p.shard"
                          " CROSS JOIN (VALUES ('contents'), ('postings'), ('packed_postings'),"
                          " ('frequent_postings'), ('posting_sizes')) AS t (kind)"
                          " LEFT JOIN pg_foreign_table c ON c.ftrelid ="
                          " to_regclass('akin.' || t.kind || '_' || p.store || '_' || p.part)"
                          " LEFT JOIN pg_foreign_server f ON f.oid = c.ftserver"));
  const std::int64_t all = rows.number(0, 0), wrong = rows.number(0, 1);
  findings.expect(wrong == 0, FindingLevel::failure, "coordinator: foreign tables",
                  wrong == 0 ? std::to_string(all) + ", all on their shards"
                             : std::to_string(wrong) + " of " + std::to_string(all) + " on another shard",
                  "restore the coordinator's schema akin from a backup");
  return {};
}

constexpr const char* kSuperuserRuns = "a superuser runs the output of akin store roles in this database";

/// What shards require of the coordinator: the extension, and the right to use it.
Result<void> check_foreign_wrapper(Connection& connection, Findings& findings) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT coalesce((SELECT 1 + has_foreign_data_wrapper_privilege(oid,"
                          " 'USAGE')::int FROM pg_foreign_data_wrapper WHERE fdwname = 'postgres_fdw'),"
                          " 0)::bigint"));
  const std::int64_t has = rows.number(0, 0);
  findings.expect(has == 2, FindingLevel::failure, "coordinator: postgres_fdw",
                  has == 2   ? "the role may use it"
                  : has == 1 ? "the role may not use it"
                             : "the extension is missing",
                  kSuperuserRuns);
  return {};
}

/// Whether readers will be able to read the tables that the owner of the schema creates later.
Result<void> check_later_tables(Connection& connection, Findings& findings) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT (SELECT count(*) FROM pg_roles WHERE rolname = 'akin_reader'),"
                          " (SELECT count(*) FROM pg_default_acl d JOIN pg_namespace n ON"
                          " n.oid = d.defaclnamespace AND n.nspowner = d.defaclrole,"
                          " aclexplode(d.defaclacl) a JOIN pg_roles r ON r.oid = a.grantee"
                          " WHERE n.nspname = 'akin' AND d.defaclobjtype = 'r'"
                          " AND r.rolname = 'akin_reader' AND a.privilege_type = 'SELECT')"));
  if (rows.number(0, 0) == 0) return {};
  const bool will = rows.number(0, 1) != 0;
  findings.expect(will, FindingLevel::warning, "coordinator: tables made later",
                  will ? "readers can read them" : "readers cannot read them",
                  "run the output of akin store roles as the owner of schema akin");
  return {};
}

}  // namespace

bool Findings::has_failure() const noexcept {
  return std::ranges::any_of(
      all_, [](const CheckFinding& finding) { return finding.level == FindingLevel::failure; });
}

Result<void> check_rights(Connection& connection, Findings& findings) {
  AKIN_TRY(const bool is_there, has_relation(connection, "akin.collections"));
  if (!is_there) return {};
  AKIN_TRY(const Rows rights,
           connection.run("SELECT has_schema_privilege('akin', 'CREATE')::int::bigint,"
                          " has_table_privilege('akin.collections', 'INSERT')::int::bigint,"
                          " has_table_privilege('akin.collections', 'SELECT')::int::bigint"));
  const bool makes = rights.number(0, 0) != 0, writes = rights.number(0, 1) != 0;
  findings.expect(rights.number(0, 2) != 0, FindingLevel::failure, "coordinator: rights",
                  makes    ? "may make collections, write and read"
                  : writes ? "may write and read, not make collections"
                           : "may read",
                  "grant them: akin store roles");
  // Connection strings of shards, with passwords; access keys and the secrets of watches.
  for (const std::string table : {"akin.shards", "akin.state"}) {
    AKIN_TRY(const bool exists, has_relation(connection, table));
    if (!exists) continue;
    AKIN_TRY(
        const Rows readers,
        connection.run("SELECT count(*) FROM pg_class c, aclexplode(c.relacl) a LEFT JOIN pg_roles r"
                       " ON r.oid = a.grantee WHERE c.oid = to_regclass(convert_from($1, 'UTF8'))"
                       " AND a.privilege_type = 'SELECT' AND (a.grantee = 0 OR r.rolname = 'akin_reader')",
                       Params().bytes(table)));
    findings.expect(readers.number(0, 0) == 0, FindingLevel::failure, "coordinator: secrets in " + table,
                    readers.number(0, 0) == 0 ? "kept from readers" : "readers can read them",
                    "REVOKE ALL ON " + table + " FROM akin_reader, PUBLIC");
  }
  return {};
}

Result<Findings> check_topology(const std::string& conninfo) {
  AKIN_CHECK(parse_conninfo(conninfo));
  AKIN_TRY(const std::unique_ptr<Connection> connection, Connection::open(conninfo));
  Findings findings;
  AKIN_TRY(const bool keeps_sessions, check_sessions(*connection, conninfo, findings));
  if (!keeps_sessions) return findings;
  AKIN_TRY(const ServerFacts facts, check_server(*connection, "coordinator", findings));
  AKIN_TRY(const bool is_readable, check_schema(*connection, findings));
  if (!is_readable) return findings;
  AKIN_CHECK(check_rights(*connection, findings));
  const Result<Topology> topology = read_topology(*connection);
  if (topology.has_error()) {
    findings.failed("coordinator: topology", topology.error());
    return findings;
  }
  findings.ok("coordinator: topology", topology_name(topology->kind));
  for (const Shard& shard : topology->shards) check_shard(*connection, *topology, shard, facts, findings);
  AKIN_CHECK(check_later_tables(*connection, findings));
  if (topology->kind == TopologyKind::shards) {
    AKIN_CHECK(check_foreign_wrapper(*connection, findings));
    AKIN_CHECK(check_parts(*connection, findings));
    AKIN_CHECK(check_erasing(*connection, findings));
    AKIN_CHECK(check_content(*connection, findings));
  }
  AKIN_TRY(const bool is_there, has_relation(*connection, "akin.parts"));
  if (is_there) AKIN_CHECK(check_plans(*connection, findings));
  return findings;
}

}  // namespace akin::pg
