#include "index/pg/schema.h"

#include "index/pg/make_content.h"
#include "index/pg/migration.h"

namespace akin::pg {
namespace {

/// Of pg_advisory_xact_lock: whoever makes the schema.
constexpr const char* kSchemaLock = "SELECT pg_advisory_xact_lock(4704131)";

constexpr const char* kMakeSchema =
    "CREATE SCHEMA IF NOT EXISTS akin;"
    "CREATE TABLE IF NOT EXISTS akin.version (version bigint NOT NULL);"
    "INSERT INTO akin.version SELECT 2 WHERE NOT EXISTS (SELECT FROM akin.version);"
    "CREATE TABLE IF NOT EXISTS akin.topology (kind text NOT NULL, cluster bytea NOT NULL);"
    "CREATE TABLE IF NOT EXISTS akin.shards (shard bigint PRIMARY KEY, server text NOT NULL,"
    " conninfo text NOT NULL);"
    "CREATE TABLE IF NOT EXISTS akin.stores ("
    " store bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, format bigint NOT NULL, scheme bytea NOT NULL,"
    " fingerprint bytea NOT NULL, languages bytea NOT NULL, store_text bigint NOT NULL,"
    " documents bigint NOT NULL DEFAULT 0,"
    " features bigint NOT NULL DEFAULT 0, postings bigint NOT NULL DEFAULT 0,"
    " text_bytes bigint NOT NULL DEFAULT 0, text_stored_bytes bigint NOT NULL DEFAULT 0,"
    " last_revision bigint NOT NULL DEFAULT 0, retired bigint NOT NULL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS akin.parts (store bigint NOT NULL REFERENCES akin.stores ON DELETE CASCADE,"
    " part bigint NOT NULL, shard bigint NOT NULL REFERENCES akin.shards, PRIMARY KEY (store, part));"
    "CREATE TABLE IF NOT EXISTS akin.collections (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores, generation bigint NOT NULL, token bytea NOT NULL,"
    " expires bigint NOT NULL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS akin.copies (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores ON DELETE CASCADE)";

constexpr const char* kMakeStore =
    "CREATE TABLE akin.d_@ (doc bigint PRIMARY KEY, id bytea NOT NULL UNIQUE,"
    " revision bigint NOT NULL UNIQUE, postings bigint NOT NULL, stored_bytes bigint NOT NULL,"
    " record bytea NOT NULL);"
    "ALTER TABLE akin.d_@ ALTER record SET STORAGE MAIN;"
    "CREATE SEQUENCE akin.n_@ AS bigint MINVALUE 0;"
    "CREATE TABLE akin.g_@ (doc bigint PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(),"
    " since bigint NOT NULL, pending bigint NOT NULL);"
    "CREATE TABLE akin.h_@ (key bigint PRIMARY KEY, df bigint NOT NULL);"
    "CREATE TABLE akin.l_@ (level bigint PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id());"
    "INSERT INTO akin.l_@ VALUES (10)";

Error no_store(StoreNumber number) {
  return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
               "the database has none with this number", ""};
}

}  // namespace

Result<void> make_schema(Connection& connection) {
  // Making anything takes rights that whoever only writes has not.
  AKIN_TRY(const bool is_present, has_present_schema(connection));
  if (is_present) return {};
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(connection.command(kSchemaLock));
  AKIN_CHECK(migrate(connection));
  AKIN_CHECK(connection.command(kMakeSchema));
  return commit(connection);
}

Result<StoreNumber> make_store(Connection& connection, Pool& pool, const StoreIdentity& identity) {
  AKIN_TRY(const Rows made,
           connection.run("INSERT INTO akin.stores (format, scheme, fingerprint, languages, store_text)"
                          " VALUES ($1, $2, $3, $4, $5) RETURNING store",
                          Params()
                              .number(kFormat)
                              .bytes(identity.scheme)
                              .bytes(identity.fingerprint)
                              .bytes(identity.languages)
                              .number(identity.store_text ? 1 : 0)));
  const StoreNumber number{made.number(0, 0)};
  AKIN_CHECK(connection.command(of_store(kMakeStore, number)));
  AKIN_CHECK(make_content(connection, pool, number));
  return number;
}

Result<void> drop_store(Pool& pool, StoreNumber number) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_TRY(const Parts parts, Parts::read(*connection, pool, number));
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(connection->run("DELETE FROM akin.stores WHERE store = $1",
                             Params().number(static_cast<std::int64_t>(number))));
  AKIN_CHECK(
      connection->command(of_store("DROP TABLE IF EXISTS akin.d_@, akin.g_@, akin.h_@, akin.l_@;"
                                   "DROP SEQUENCE IF EXISTS akin.n_@",
                                   number)));
  AKIN_CHECK(drop_content_here(*connection, parts, number));
  AKIN_CHECK(commit(*connection));
  // What a shard that is down keeps of it belongs to no store: drop_orphaned_content finds it.
  static_cast<void>(drop_content(parts, number));
  return {};
}

Result<StoreIdentity> read_identity(Connection& connection, StoreNumber number) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT format, scheme, fingerprint, languages, store_text FROM akin.stores"
                          " WHERE store = $1",
                          Params().number(static_cast<std::int64_t>(number))));
  if (rows.size() == 0) return no_store(number);
  if (rows.number(0, 0) != kFormat) {
    return Error{Errc::mismatch, "store " + std::to_string(static_cast<std::int64_t>(number)),
                 "it has the format " + std::to_string(rows.number(0, 0)) + ", this akin reads " +
                     std::to_string(kFormat),
                 "use the akin that made it"};
  }
  return StoreIdentity{std::string(rows.bytes(0, 1)), std::string(rows.bytes(0, 2)),
                       std::string(rows.bytes(0, 3)), rows.number(0, 4) != 0};
}

Statement select_counters(StoreNumber number, bool lock) {
  return {
      "SELECT documents, features, postings, text_bytes, text_stored_bytes, last_revision, retired"
      " FROM akin.stores WHERE store = $1" +
          std::string(lock ? " FOR UPDATE" : ""),
      Params().number(static_cast<std::int64_t>(number))};
}

Result<StoreCounters> counters_of(const Rows& rows, StoreNumber number, bool lock) {
  if (rows.size() == 0) return no_store(number);
  if (lock && rows.number(0, 6) != 0) {
    return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
                 "another has taken its place", "open the collection anew"};
  }
  return StoreCounters{rows.number(0, 0), rows.number(0, 1), rows.number(0, 2),
                       rows.number(0, 3), rows.number(0, 4), rows.number(0, 5)};
}

Result<StoreCounters> read_counters(Connection& connection, StoreNumber number, bool lock) {
  const Statement statement = select_counters(number, lock);
  AKIN_TRY(const Rows rows, connection.run(statement.sql, statement.params));
  return counters_of(rows, number, lock);
}

Statement update_counters(StoreNumber number, const StoreCounters& counters) {
  return {
      "UPDATE akin.stores SET documents = $2, features = $3, postings = $4, text_bytes = $5,"
      " text_stored_bytes = $6, last_revision = $7 WHERE store = $1",
      Params()
          .number(static_cast<std::int64_t>(number))
          .number(counters.documents)
          .number(counters.features)
          .number(counters.postings)
          .number(counters.text_bytes)
          .number(counters.text_stored_bytes)
          .number(counters.last_revision)};
}

}  // namespace akin::pg
