#include "index/pg/migration.h"

#include <optional>
#include <string>

#include "index/pg/names.h"

namespace akin::pg {
namespace {

/// From the first form, in which the directory held texts and sequences as well, and stores were erased from
/// at once.
constexpr const char* kStoreFrom1 =
    "LOCK TABLE akin.d_@, akin.p_@ IN ACCESS EXCLUSIVE MODE;"
    "CREATE TABLE akin.s_@ (doc bigint PRIMARY KEY, body bytea, sequence bytea NOT NULL);"
    "ALTER TABLE akin.s_@ ALTER body SET STORAGE EXTERNAL, ALTER sequence SET STORAGE EXTERNAL;"
    "INSERT INTO akin.s_@ SELECT doc, body, sequence FROM akin.d_@;"
    "CREATE TABLE akin.d2_@ (doc bigint PRIMARY KEY, id bytea NOT NULL UNIQUE,"
    " revision bigint NOT NULL UNIQUE, postings bigint NOT NULL, stored_bytes bigint NOT NULL,"
    " record bytea NOT NULL);"
    "ALTER TABLE akin.d2_@ ALTER record SET STORAGE MAIN;"
    "INSERT INTO akin.d2_@ SELECT d.doc, d.id, d.revision, coalesce(p.n, 0), coalesce(octet_length(d.body), "
    "0),"
    " d.record FROM akin.d_@ d LEFT JOIN (SELECT doc, count(*) AS n FROM akin.p_@ GROUP BY doc) p USING "
    "(doc);"
    "DROP TABLE akin.d_@;"
    "ALTER TABLE akin.d2_@ RENAME TO d_@;"
    "CREATE SEQUENCE akin.n_@ AS bigint MINVALUE 0;"
    "SELECT setval('akin.n_@', (SELECT next_document FROM akin.stores WHERE store = @));"
    "CREATE TABLE akin.g_@ (doc bigint PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(),"
    " since bigint NOT NULL, pending bigint NOT NULL);"
    "CREATE TABLE akin.l_@ (level bigint PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id());"
    "INSERT INTO akin.l_@ VALUES (10);"
    "CREATE TABLE akin.c_@ (bucket bigint NOT NULL, n bigint NOT NULL, keys bigint[] NOT NULL,"
    " docs integer[] NOT NULL);"
    "ALTER TABLE akin.c_@ ALTER keys SET STORAGE MAIN, ALTER docs SET STORAGE MAIN;"
    "CREATE INDEX ON akin.c_@ (bucket);"
    "CREATE VIEW akin.v_@ AS SELECT 0::bigint AS bucket, key, doc FROM akin.p_@ UNION ALL"
    " SELECT c.bucket, u.key, u.doc::bigint FROM akin.c_@ c, LATERAL unnest(c.keys, c.docs) AS u (key, doc);"
    "UPDATE akin.stores SET format = 2 WHERE store = @";

Result<void> from_1(Connection& connection) {
  AKIN_TRY(const Rows stores, connection.run("SELECT store FROM akin.stores WHERE format = 1 FOR UPDATE"));
  for (std::size_t row = 0; row < stores.size(); ++row)
    AKIN_CHECK(connection.command(of_store(kStoreFrom1, StoreNumber{stores.number(row, 0)})));
  AKIN_CHECK(connection.command("ALTER TABLE akin.stores DROP next_document"));
  return connection.command("UPDATE akin.version SET version = 2");
}

/// Nothing where there is no schema; 0 where its number is missing.
Result<std::optional<std::int64_t>> read_version(Connection& connection) {
  AKIN_TRY(const Rows there, connection.run("SELECT FROM pg_tables WHERE schemaname = 'akin'"
                                            " AND tablename = 'version'"));
  if (there.size() == 0) return std::optional<std::int64_t>();
  AKIN_TRY(const Rows rows, connection.run("SELECT version FROM akin.version"));
  return std::optional<std::int64_t>(rows.size() == 1 ? rows.number(0, 0) : 0);
}

}  // namespace

Result<bool> has_present_schema(Connection& connection) {
  AKIN_TRY(const std::optional<std::int64_t> version, read_version(connection));
  return version == kSchemaVersion;
}

Result<void> migrate(Connection& connection) {
  AKIN_TRY(const std::optional<std::int64_t> known, read_version(connection));
  if (!known || *known == kSchemaVersion) return {};
  const std::int64_t version = *known;
  if (version == 1) return from_1(connection);
  return Error{Errc::mismatch, "schema akin of the database",
               "it has the version " + std::to_string(version) + ", this akin knows " +
                   std::to_string(kSchemaVersion) + " and earlier ones",
               "use the akin that made it, or another database"};
}

}  // namespace akin::pg
