#include "index/pg/servers/store_check.h"

#include <algorithm>
#include <memory>
#include <set>

#include "base/ascii.h"

#include "index/pg/client/conninfo.h"
#include "index/pg/client/sessions.h"
#include "index/pg/tables/format.h"
#include "index/pg/tables/schema.h"

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
    findings.ok("database: sessions", "prepared statements and locks last");
    return true;
  }
  if (own.error().code != Errc::unsupported) return own.error();
  findings.failed("database: sessions", own.error());
  return false;
}

/// False if the schema is one that this akin cannot read, so that nothing else can be checked.
Result<bool> check_schema(Connection& connection, Findings& findings) {
  const Result<bool> is_there = has_schema(connection);
  if (is_there.has_error()) {
    findings.failed("database: schema akin", is_there.error());
    return false;
  }
  if (!*is_there) {
    findings.expect(false, FindingLevel::failure, "database: schema akin", "missing", "akin store init");
    return true;
  }
  findings.ok("database: schema akin", "version " + std::to_string(kSchemaVersion));
  AKIN_TRY(const Rows counts,
           connection.run("SELECT (SELECT count(*) FROM akin.collections), (SELECT count(*) FROM akin.stores"
                          " WHERE retired = 0)"));
  findings.ok("database: collections", std::to_string(counts.number(0, 0)));
  AKIN_TRY(const Rows copies, connection.run("SELECT count(*) FROM akin.copies"));
  findings.expect(copies.number(0, 0) == 0, FindingLevel::warning, "database: unfinished copies",
                  std::to_string(copies.number(0, 0)), "run the same akin store copy again to continue them");
  return true;
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
  findings.expect(will, FindingLevel::warning, "database: tables made later",
                  will ? "readers can read them" : "readers cannot read them",
                  "run the output of akin store roles as the owner of schema akin");
  return {};
}

/// A server of an address with several hosts.
struct Host {
  std::string name;      ///< "db1.example.org:5432"
  std::string conninfo;  ///< of it alone
};

/// Nothing if the address has one host.
Result<std::vector<Host>> hosts_of(const std::string& conninfo) {
  AKIN_TRY(const std::vector<ConnectionOption> options, parse_conninfo(conninfo));
  std::vector<std::string> names, ports;
  std::string others;
  for (const ConnectionOption& option : options) {
    const bool is_host = option.keyword == "host" || option.keyword == "hostaddr";
    if (is_host || option.keyword == "port") {
      std::vector<std::string>& list = is_host ? names : ports;
      for (const std::string_view one : split(option.value, ',')) list.emplace_back(one);
    } else if (option.keyword != "target_session_attrs") {
      others += option.keyword + "=" + quoted_value(option.value) + " ";
    }
  }
  std::vector<Host> hosts;
  if (names.size() < 2) return hosts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string port = ports.empty() ? "5432" : ports[std::min(i, ports.size() - 1)];
    hosts.push_back(
        {names[i] + ":" + port, others + "host=" + quoted_value(names[i]) + " port=" + quoted_value(port)});
  }
  return hosts;
}

/// The last checkpoint of a standby that was promoted may still be of the old timeline: the name of its WAL
/// file begins with the new one.
constexpr const char* kHostState =
    "SELECT s.system_identifier, CASE WHEN pg_is_in_recovery() THEN c.timeline_id ELSE"
    " ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END::bigint,"
    " pg_is_in_recovery()::int::bigint FROM pg_control_system() s, pg_control_checkpoint() c";

/// Of several hosts at most one may take writes, and all must be of one cluster: an old primary that came
/// back without knowing of its successor takes writes that nobody will see.
Result<void> check_hosts(const std::string& conninfo, Findings& findings) {
  AKIN_TRY(const std::vector<Host> hosts, hosts_of(conninfo));
  std::string primaries;
  std::size_t count = 0;
  std::set<std::int64_t> clusters;
  for (const Host& host : hosts) {
    const auto connection = Connection::open(host.conninfo);
    if (connection.has_error()) {
      findings.expect(false, FindingLevel::warning, "database: host " + host.name, connection.error().reason,
                      connection.error().remedy);
      continue;
    }
    AKIN_TRY(const Rows rows, (*connection)->run(kHostState));
    clusters.insert(rows.number(0, 0));
    const bool takes_writes = rows.number(0, 2) == 0;
    const std::string timeline = ", timeline " + std::to_string(rows.number(0, 1));
    findings.ok("database: host " + host.name, (takes_writes ? "takes writes" : "a standby") + timeline);
    if (!takes_writes) continue;
    ++count;
    primaries += (primaries.empty() ? "" : " and ") + host.name + " (timeline " +
                 std::to_string(rows.number(0, 1)) + ")";
  }
  if (hosts.empty()) return {};
  findings.expect(count <= 1, FindingLevel::failure, "database: primaries",
                  count == 0 ? "none" : primaries + (count > 1 ? " take writes" : ""),
                  "stop the one with the lower timeline at once: what it acknowledged since is not on the "
                  "other; make it a standby (pg_rewind)");
  findings.expect(clusters.size() <= 1, FindingLevel::failure, "database: cluster",
                  clusters.size() <= 1 ? "one" : "the hosts belong to different ones",
                  "name only the primary and its standbys in the address");
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
  findings.expect(rights.number(0, 2) != 0, FindingLevel::failure, "database: rights",
                  makes    ? "may make collections, write and read"
                  : writes ? "may write and read, not make collections"
                           : "may read",
                  "grant them: akin store roles");
  AKIN_TRY(const bool has_state, has_relation(connection, "akin.state"));
  if (!has_state) return {};
  AKIN_TRY(
      const Rows readers,
      connection.run("SELECT count(*) FROM pg_class c, aclexplode(c.relacl) a LEFT JOIN pg_roles r"
                     " ON r.oid = a.grantee WHERE c.oid = 'akin.state'::regclass"
                     " AND a.privilege_type = 'SELECT' AND (a.grantee = 0 OR r.rolname = 'akin_reader')"));
  // Access keys and the secrets of watches.
  findings.expect(readers.number(0, 0) == 0, FindingLevel::failure, "database: secrets in akin.state",
                  readers.number(0, 0) == 0 ? "kept from readers" : "readers can read them",
                  "REVOKE ALL ON akin.state FROM akin_reader, PUBLIC");
  return {};
}

Result<Findings> check_database(const std::string& conninfo) {
  AKIN_CHECK(parse_conninfo(conninfo));
  AKIN_TRY(const std::unique_ptr<Connection> connection, Connection::open(conninfo));
  Findings findings;
  AKIN_TRY(const bool keeps_sessions, check_sessions(*connection, conninfo, findings));
  if (!keeps_sessions) return findings;
  AKIN_CHECK(check_hosts(conninfo, findings));
  AKIN_CHECK(check_server(*connection, findings));
  AKIN_TRY(const bool is_readable, check_schema(*connection, findings));
  if (!is_readable) return findings;
  AKIN_CHECK(check_rights(*connection, findings));
  AKIN_CHECK(check_later_tables(*connection, findings));
  AKIN_TRY(const bool is_there, has_relation(*connection, "akin.collections"));
  if (is_there) AKIN_CHECK(check_plans(*connection, findings));
  return findings;
}

}  // namespace akin::pg
