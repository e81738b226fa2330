#include "index/pg/tables/schema.h"

#include <string>
#include <utility>

#include "index/pg/tables/format.h"

namespace akin::pg {
namespace {

const std::string kLockSchema = "SELECT " + call_of("pg_advisory_xact_lock", AdvisoryLock::schema);

const std::string kMakeSchema =
    "CREATE SCHEMA IF NOT EXISTS akin;"
    "CREATE TABLE IF NOT EXISTS akin.format (version bigint NOT NULL);"
    "INSERT INTO akin.format SELECT " +
    std::to_string(kSchemaVersion) +
    " WHERE NOT EXISTS (SELECT FROM akin.format);"
    "CREATE TABLE IF NOT EXISTS akin.stores ("
    " store bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, format bigint NOT NULL, scheme bytea NOT NULL,"
    " fingerprint bytea NOT NULL, languages bytea NOT NULL, store_text bigint NOT NULL,"
    " documents bigint NOT NULL DEFAULT 0,"
    " features bigint NOT NULL DEFAULT 0, postings bigint NOT NULL DEFAULT 0,"
    " text_bytes bigint NOT NULL DEFAULT 0, text_stored_bytes bigint NOT NULL DEFAULT 0,"
    " last_revision bigint NOT NULL DEFAULT 0, retired bigint NOT NULL DEFAULT 0,"
    " file_bytes bigint NOT NULL DEFAULT 0, file_stored_bytes bigint NOT NULL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS akin.collections (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores, generation bigint NOT NULL, token bytea NOT NULL,"
    " expires bigint NOT NULL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS akin.copies (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores ON DELETE CASCADE);"
    "CREATE TABLE IF NOT EXISTS akin.dictionaries (fingerprint bytea PRIMARY KEY, content bytea NOT NULL);"
    "ALTER TABLE akin.dictionaries ALTER content SET STORAGE EXTERNAL;"
    "CREATE TABLE IF NOT EXISTS akin.store_dictionaries ("
    " store bigint PRIMARY KEY REFERENCES akin.stores ON DELETE CASCADE,"
    " fingerprint bytea NOT NULL REFERENCES akin.dictionaries);"
    "COMMENT ON TABLE akin.format IS 'akin: version of this list of tables';"
    "COMMENT ON TABLE akin.stores IS 'akin: identity and counters of each store; writers lock its row';"
    "COMMENT ON TABLE akin.collections IS 'akin: the store that a collection is in now, and when it expires';"
    "COMMENT ON TABLE akin.copies IS 'akin: collections that are being copied into the database';"
    "COMMENT ON TABLE akin.dictionaries IS 'akin: dictionaries that stores were built with, compressed';"
    "COMMENT ON TABLE akin.store_dictionaries IS 'akin: the dictionaries that each store was built with'";

const std::string kMakeStore =
    "CREATE TABLE akin.documents_@ (doc bigint PRIMARY KEY, id bytea NOT NULL UNIQUE,"
    " revision bigint NOT NULL UNIQUE, postings bigint NOT NULL, stored_bytes bigint NOT NULL,"
    " record bytea NOT NULL, file_stored_bytes bigint NOT NULL);"
    "ALTER TABLE akin.documents_@ ALTER record SET STORAGE MAIN;"
    "CREATE SEQUENCE akin.next_document_@ AS bigint MINVALUE 0;"
    "CREATE TABLE akin.tombstones_@ (doc bigint PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id());"
    "COMMENT ON TABLE akin.documents_@ IS 'akin: the documents of store @; one that is not here does not "
    "exist';"
    "COMMENT ON SEQUENCE akin.next_document_@ IS 'akin: number of the next document of store @';"
    "COMMENT ON TABLE akin.tombstones_@ IS 'akin: document numbers of store @ whose content is to be "
    "erased';";

const std::string kMakeContent =
    "CREATE TABLE akin.contents_@ (doc bigint PRIMARY KEY, body bytea, sequence bytea NOT NULL,"
    " file bytea, words bytea);"
    "ALTER TABLE akin.contents_@ ALTER body SET STORAGE EXTERNAL, ALTER sequence SET STORAGE EXTERNAL,"
    " ALTER file SET STORAGE EXTERNAL, ALTER words SET STORAGE EXTERNAL;"
    "CREATE TABLE akin.postings_@ (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL,"
    " PRIMARY KEY (key, doc) INCLUDE (n));"
    "CREATE TABLE akin.packed_postings_@ (bucket bigint NOT NULL, body bytea NOT NULL);"
    "CREATE INDEX ON akin.packed_postings_@ (bucket);"
    // A database that loses its last transactions, as an asynchronous standby that is promoted may, counts
    // again from an earlier number: 24 bits of an id are random, so that no process takes another block for
    // one that it has read (PostingCache).
    "CREATE SEQUENCE akin.next_block_@ AS bigint MAXVALUE 549755813887;"
    "CREATE TABLE akin.frequent_postings_@ (id bigint PRIMARY KEY DEFAULT"
    " (nextval('akin.next_block_@') << 24) + floor(random() * 16777216)::bigint,"
    " key bigint NOT NULL, n bigint NOT NULL, body bytea NOT NULL);"
    "ALTER SEQUENCE akin.next_block_@ OWNED BY akin.frequent_postings_@.id;"
    "CREATE INDEX ON akin.frequent_postings_@ (key);"
    // Rows remain in their page, as they are: up to four pages of them would not fit otherwise.
    "ALTER TABLE akin.packed_postings_@ ALTER body SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);"
    "ALTER TABLE akin.frequent_postings_@ ALTER body SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);"
    "CREATE TABLE akin.posting_sizes_@ (level bigint NOT NULL, postings bigint NOT NULL, rows bigint NOT "
    "NULL);"
    "COMMENT ON TABLE akin.contents_@ IS 'akin: compressed texts and encoded feature sequences of store @';"
    "COMMENT ON TABLE akin.postings_@ IS 'akin: recent postings of store @, in rows of their own';"
    "COMMENT ON TABLE akin.packed_postings_@ IS 'akin: postings of store @, many of neighbouring features in "
    "a"
    " row';"
    "COMMENT ON TABLE akin.frequent_postings_@ IS 'akin: postings of features that many documents of store @"
    " have, in blocks';"
    "COMMENT ON SEQUENCE akin.next_block_@ IS 'akin: number of the next block of store @';"
    "COMMENT ON TABLE akin.posting_sizes_@ IS 'akin: how many packed postings store @ has, by level'";

/// Of akin.stores.store_text.
constexpr std::int64_t kKeepsTexts = 1, kKeepsFiles = 2;

std::int64_t kept_of(const StoreIdentity& identity) noexcept {
  return (identity.store_text ? kKeepsTexts : 0) | (identity.store_file ? kKeepsFiles : 0);
}

Error no_store(StoreNumber number) {
  return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
               "the database has none with this number", ""};
}

Error other_schema(const std::string& reason, const std::string& remedy) {
  return Error{Errc::mismatch, "schema akin of the database", reason, remedy};
}

}  // namespace

Result<bool> has_schema(Connection& connection) {
  AKIN_TRY(const Rows tables, connection.run("SELECT count(*) FILTER (WHERE tablename = 'format'),"
                                             " count(*) FILTER (WHERE tablename = 'version') FROM pg_tables"
                                             " WHERE schemaname = 'akin'"));
  if (tables.number(0, 1) != 0) {
    return other_schema("an akin before the first release made its tables",
                        "export its collections with the akin that made it (akin export), and import them "
                        "into another database with this one (akin import)");
  }
  if (tables.number(0, 0) == 0) return false;
  AKIN_TRY(const Rows rows, connection.run("SELECT version FROM akin.format"));
  const std::int64_t version = rows.size() == 1 ? rows.number(0, 0) : 0;
  if (version == kSchemaVersion) return true;
  return other_schema(
      "it has the version " + std::to_string(version) + ", this akin knows " + std::to_string(kSchemaVersion),
      "use the akin that made it, or another database");
}

Result<void> make_schema(Connection& connection) {
  // Creating objects needs privileges that a write-only role lacks.
  AKIN_TRY(const bool is_there, has_schema(connection));
  if (is_there) return {};
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(connection.command("SELECT " + call_of("pg_advisory_xact_lock", AdvisoryLock::schema)));
  AKIN_CHECK(connection.command(kMakeSchema));
  return commit(connection);
}

Result<StoreNumber> make_store(Connection& connection, const StoreIdentity& identity) {
  AKIN_TRY(const Rows made,
           connection.run("INSERT INTO akin.stores (format, scheme, fingerprint, languages, store_text)"
                          " VALUES ($1, $2, $3, $4, $5) RETURNING store",
                          Params()
                              .number(kStoreFormat)
                              .bytes(identity.scheme)
                              .bytes(identity.fingerprint)
                              .bytes(identity.languages)
                              .number(kept_of(identity))));
  const StoreNumber number{made.number(0, 0)};
  AKIN_CHECK(connection.command(of_store(kMakeStore + kMakeContent, number)));
  return number;
}

Result<bool> may_write(Connection& connection) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT (NOT pg_is_in_recovery()"
                          " AND has_table_privilege('akin.collections', 'DELETE'))::int::bigint"));
  return rows.number(0, 0) != 0;
}

Result<void> drop_store(Pool& pool, StoreNumber number) {
  AKIN_TRY(const Pool::Loan connection, pool.borrow());
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(connection->run("DELETE FROM akin.stores WHERE store = $1",
                             Params().number(static_cast<std::int64_t>(number))));
  AKIN_CHECK(connection->command(
      of_store("DROP TABLE IF EXISTS akin.documents_@, akin.tombstones_@, akin.contents_@, akin.postings_@,"
               " akin.packed_postings_@, akin.frequent_postings_@, akin.posting_sizes_@;"
               "DROP SEQUENCE IF EXISTS akin.next_document_@",
               number)));
  return commit(*connection);
}

Result<StoreIdentity> read_identity(Connection& connection, StoreNumber number) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT format, scheme, fingerprint, languages, store_text FROM akin.stores"
                          " WHERE store = $1",
                          Params().number(static_cast<std::int64_t>(number))));
  if (rows.size() == 0) return no_store(number);
  if (rows.number(0, 0) != kStoreFormat) {
    return Error{Errc::mismatch, "store " + std::to_string(static_cast<std::int64_t>(number)),
                 "it has the format " + std::to_string(rows.number(0, 0)) + ", this akin reads " +
                     std::to_string(kStoreFormat),
                 "use the akin that made it"};
  }
  return StoreIdentity{std::string(rows.bytes(0, 1)), std::string(rows.bytes(0, 2)),
                       std::string(rows.bytes(0, 3)), (rows.number(0, 4) & kKeepsTexts) != 0,
                       (rows.number(0, 4) & kKeepsFiles) != 0};
}

Statement select_counters(StoreNumber number, bool lock) {
  return {
      "SELECT documents, features, postings, text_bytes, text_stored_bytes, last_revision, retired,"
      " file_bytes, file_stored_bytes FROM akin.stores WHERE store = $1" +
          std::string(lock ? " FOR UPDATE" : ""),
      Params().number(static_cast<std::int64_t>(number))};
}

Result<StoreCounters> counters_of(const Rows& rows, StoreNumber number, bool lock) {
  if (rows.size() == 0) return no_store(number);
  if (lock && rows.number(0, 6) != 0) {
    return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
                 "another store has replaced it", "open the collection again"};
  }
  return StoreCounters{rows.number(0, 0),
                       rows.number(0, 1),
                       rows.number(0, 2),
                       rows.number(0, 3),
                       rows.number(0, 4),
                       Revision(static_cast<std::uint64_t>(rows.number(0, 5))),
                       {rows.number(0, 7), rows.number(0, 8)}};
}

Result<StoreCounters> read_counters(Connection& connection, StoreNumber number, bool lock) {
  const Statement statement = select_counters(number, lock);
  AKIN_TRY(const Rows rows, connection.run(statement.sql, statement.params));
  return counters_of(rows, number, lock);
}

Statement update_counters(StoreNumber number, const StoreCounters& counters) {
  return {
      "UPDATE akin.stores SET documents = $2, features = $3, postings = $4, text_bytes = $5,"
      " text_stored_bytes = $6, last_revision = $7, file_bytes = $8, file_stored_bytes = $9"
      " WHERE store = $1",
      Params()
          .number(static_cast<std::int64_t>(number))
          .number(counters.documents)
          .number(counters.features)
          .number(counters.postings)
          .number(counters.text_bytes)
          .number(counters.text_stored_bytes)
          .number(static_cast<std::int64_t>(counters.last_revision.value))
          .number(counters.files.bytes)
          .number(counters.files.stored_bytes)};
}

}  // namespace akin::pg
