#include "index/pg/schema.h"

namespace akin::pg {
namespace {

constexpr std::int64_t kSchemaVersion = 1;
/// Of pg_advisory_xact_lock: whoever makes the schema.
constexpr const char* kSchemaLock = "SELECT pg_advisory_xact_lock(4704131)";

constexpr const char* kMakeSchema =
    "CREATE SCHEMA IF NOT EXISTS akin;"
    "CREATE TABLE IF NOT EXISTS akin.version (version bigint NOT NULL);"
    "INSERT INTO akin.version SELECT 1 WHERE NOT EXISTS (SELECT FROM akin.version);"
    "CREATE TABLE IF NOT EXISTS akin.stores ("
    " store bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, format bigint NOT NULL, scheme bytea NOT NULL,"
    " fingerprint bytea NOT NULL, languages bytea NOT NULL, store_text bigint NOT NULL,"
    " next_document bigint NOT NULL DEFAULT 0, documents bigint NOT NULL DEFAULT 0,"
    " features bigint NOT NULL DEFAULT 0, postings bigint NOT NULL DEFAULT 0,"
    " text_bytes bigint NOT NULL DEFAULT 0, text_stored_bytes bigint NOT NULL DEFAULT 0,"
    " last_revision bigint NOT NULL DEFAULT 0, retired bigint NOT NULL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS akin.collections (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores, generation bigint NOT NULL, token bytea NOT NULL,"
    " expires bigint NOT NULL DEFAULT 0)";

constexpr const char* kMakeStore =
    "CREATE TABLE akin.d_@ (doc bigint PRIMARY KEY, id bytea NOT NULL UNIQUE, revision bigint NOT NULL "
    "UNIQUE,"
    " record bytea NOT NULL, body bytea, sequence bytea NOT NULL);"
    "ALTER TABLE akin.d_@ ALTER body SET STORAGE EXTERNAL, ALTER sequence SET STORAGE EXTERNAL,"
    " ALTER record SET STORAGE MAIN;"
    "CREATE TABLE akin.p_@ (key bigint NOT NULL, doc bigint NOT NULL, PRIMARY KEY (key, doc));"
    "CREATE TABLE akin.r_@ (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL, PRIMARY KEY (key, "
    "doc));"
    "CREATE TABLE akin.h_@ (key bigint PRIMARY KEY, df bigint NOT NULL)";

Error no_store(StoreNumber number) {
  return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
               "the database has none with this number", ""};
}

}  // namespace

Result<void> make_schema(Connection& connection) {
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(connection.command(kSchemaLock));
  AKIN_CHECK(connection.command(kMakeSchema));
  AKIN_TRY(const Rows version, connection.run("SELECT version FROM akin.version"));
  if (version.size() != 1 || version.number(0, 0) != kSchemaVersion) {
    return Error{Errc::mismatch, "schema akin of the database", "it was made by another akin",
                 "use the akin that made it, or another database"};
  }
  return commit(connection);
}

Result<StoreNumber> make_store(Connection& connection, const StoreIdentity& identity) {
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
  return number;
}

Result<void> drop_store(Connection& connection, StoreNumber number) {
  AKIN_CHECK(connection.run("DELETE FROM akin.stores WHERE store = $1",
                            Params().number(static_cast<std::int64_t>(number))));
  AKIN_CHECK(
      connection.command(of_store("DROP TABLE IF EXISTS akin.d_@, akin.p_@, akin.r_@, akin.h_@", number)));
  return commit(connection);
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
                 "use the akin that made it, or run `akin reindex`"};
  }
  return StoreIdentity{std::string(rows.bytes(0, 1)), std::string(rows.bytes(0, 2)),
                       std::string(rows.bytes(0, 3)), rows.number(0, 4) != 0};
}

Result<StoreCounters> read_counters(Connection& connection, StoreNumber number, bool lock) {
  AKIN_TRY(
      const Rows rows,
      connection.run("SELECT next_document, documents, features, postings, text_bytes, text_stored_bytes,"
                     " last_revision, retired FROM akin.stores WHERE store = $1" +
                         std::string(lock ? " FOR UPDATE" : ""),
                     Params().number(static_cast<std::int64_t>(number))));
  if (rows.size() == 0) return no_store(number);
  if (lock && rows.number(0, 7) != 0) {
    return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
                 "another has taken its place", "open the collection anew"};
  }
  return StoreCounters{rows.number(0, 0), rows.number(0, 1), rows.number(0, 2), rows.number(0, 3),
                       rows.number(0, 4), rows.number(0, 5), rows.number(0, 6)};
}

Result<void> write_counters(Connection& connection, StoreNumber number, const StoreCounters& counters) {
  AKIN_CHECK(
      connection.run("UPDATE akin.stores SET next_document = $2, documents = $3, features = $4,"
                     " postings = $5, text_bytes = $6, text_stored_bytes = $7, last_revision = $8"
                     " WHERE store = $1",
                     Params()
                         .number(static_cast<std::int64_t>(number))
                         .number(counters.next_document)
                         .number(counters.documents)
                         .number(counters.features)
                         .number(counters.postings)
                         .number(counters.text_bytes)
                         .number(counters.text_stored_bytes)
                         .number(counters.last_revision)));
  return {};
}

}  // namespace akin::pg
