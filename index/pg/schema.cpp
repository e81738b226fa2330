#include "index/pg/schema.h"

#include <string>
#include <utility>

#include "index/pg/dictionaries.h"
#include "index/pg/format.h"
#include "index/pg/make_content.h"

namespace akin::pg {
namespace {

const std::string kLockSchema = "SELECT " + call_of("pg_advisory_xact_lock", AdvisoryLock::schema);

const std::string kMakeSchema =
    "CREATE SCHEMA IF NOT EXISTS akin;"
    "CREATE TABLE IF NOT EXISTS akin.version (version bigint NOT NULL);"
    "INSERT INTO akin.version SELECT " +
    std::to_string(kSchemaVersion) +
    " WHERE NOT EXISTS (SELECT FROM akin.version);"
    "CREATE TABLE IF NOT EXISTS akin.topology (kind text NOT NULL, cluster bytea NOT NULL);"
    "CREATE TABLE IF NOT EXISTS akin.shards (shard bigint PRIMARY KEY, server text NOT NULL,"
    " conninfo text NOT NULL);"
    "CREATE TABLE IF NOT EXISTS akin.stores ("
    " store bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, format bigint NOT NULL, scheme bytea NOT NULL,"
    " fingerprint bytea NOT NULL, languages bytea NOT NULL, store_text bigint NOT NULL,"
    " documents bigint NOT NULL DEFAULT 0,"
    " features bigint NOT NULL DEFAULT 0, postings bigint NOT NULL DEFAULT 0,"
    " text_bytes bigint NOT NULL DEFAULT 0, text_stored_bytes bigint NOT NULL DEFAULT 0,"
    " last_revision bigint NOT NULL DEFAULT 0, retired bigint NOT NULL DEFAULT 0,"
    " file_bytes bigint, file_stored_bytes bigint);"
    "CREATE TABLE IF NOT EXISTS akin.parts (store bigint NOT NULL REFERENCES akin.stores ON DELETE CASCADE,"
    " part bigint NOT NULL, shard bigint NOT NULL REFERENCES akin.shards, PRIMARY KEY (store, part));"
    "CREATE TABLE IF NOT EXISTS akin.collections (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores, generation bigint NOT NULL, token bytea NOT NULL,"
    " expires bigint NOT NULL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS akin.copies (name bytea PRIMARY KEY,"
    " store bigint NOT NULL REFERENCES akin.stores ON DELETE CASCADE);"
    "COMMENT ON TABLE akin.version IS 'akin: version of this list of tables';"
    "COMMENT ON TABLE akin.topology IS 'akin: one database or shards, and the name of the cluster';"
    "COMMENT ON TABLE akin.shards IS 'akin: the databases over which stores are partitioned';"
    "COMMENT ON TABLE akin.stores IS 'akin: identity and counters of each store; writers lock its row';"
    "COMMENT ON TABLE akin.parts IS 'akin: which shard holds a part of a store';"
    "COMMENT ON TABLE akin.collections IS 'akin: the store that a collection is in now, and when it expires';"
    "COMMENT ON TABLE akin.copies IS 'akin: collections that are being copied into the database'";

constexpr const char* kAddFileSizes =
    "ALTER TABLE akin.stores ADD COLUMN IF NOT EXISTS file_bytes bigint,"
    " ADD COLUMN IF NOT EXISTS file_stored_bytes bigint";

const std::string kMakeStore =
    "CREATE TABLE akin.documents_@ (doc bigint PRIMARY KEY, id bytea NOT NULL UNIQUE,"
    " revision bigint NOT NULL UNIQUE, postings bigint NOT NULL, stored_bytes bigint NOT NULL,"
    " record bytea NOT NULL);"
    "ALTER TABLE akin.documents_@ ALTER record SET STORAGE MAIN;"
    "CREATE SEQUENCE akin.next_document_@ AS bigint MINVALUE 0;"
    "CREATE TABLE akin.tombstones_@ (doc bigint PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(),"
    " since bigint NOT NULL, pending bigint NOT NULL);"
    "COMMENT ON TABLE akin.documents_@ IS 'akin: the documents of store @; one that is not here does not "
    "exist';"
    "COMMENT ON SEQUENCE akin.next_document_@ IS 'akin: number of the next document of store @';"
    "COMMENT ON TABLE akin.tombstones_@ IS 'akin: document numbers of store @ whose content is being "
    "written, or is"
    " to be erased'";

/// What a store that keeps files has in addition.
constexpr const char* kCountFiles =
    "ALTER TABLE akin.documents_@ ADD COLUMN file_stored_bytes bigint NOT NULL;"
    "UPDATE akin.stores SET file_bytes = 0, file_stored_bytes = 0 WHERE store = @";

/// Of akin.stores.store_text.
constexpr std::int64_t kKeepsTexts = 1, kKeepsFiles = 2;

std::int64_t kept_of(const StoreIdentity& identity) noexcept {
  return (identity.store_text ? kKeepsTexts : 0) | (identity.store_file ? kKeepsFiles : 0);
}

std::int64_t format_of(const StoreIdentity& identity) noexcept {
  if (identity.store_text) return kStoreFormatWithWords;
  return identity.store_file ? kStoreFormatWithFileSizes : kStoreFormat;
}

Result<void> add_file_sizes(Connection& connection) {
  AKIN_TRY(const Rows there,
           connection.run("SELECT FROM pg_attribute WHERE attrelid = 'akin.stores'::regclass"
                          " AND attname = 'file_stored_bytes' AND NOT attisdropped"));
  if (there.size() > 0) return {};
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(connection.command(kLockSchema));
  AKIN_CHECK(connection.command(kAddFileSizes));
  return commit(connection);
}

/// What an earlier akin did not make.
Result<void> complete_schema(Connection& connection) {
  AKIN_CHECK(make_dictionary_tables(connection));
  return add_file_sizes(connection);
}

Error no_store(StoreNumber number) {
  return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
               "the database has none with this number", ""};
}

Error other_schema(const std::string& reason) {
  return Error{Errc::mismatch, "schema akin of the database", reason,
               "use the akin that made it, or another database"};
}

Error initialised_for_citus() {
  return Error{
      Errc::unsupported, "database", "an earlier akin initialised it for Citus, which akin no longer uses",
      "copy its collections into a data folder with the akin that made it (akin store copy), and from "
      "there into another database with this one"};
}

}  // namespace

Result<bool> has_schema(Connection& connection) {
  AKIN_TRY(const Rows tables, connection.run("SELECT count(*) FILTER (WHERE tablename = 'version'),"
                                             " count(*) FILTER (WHERE tablename = 'topology') FROM pg_tables"
                                             " WHERE schemaname = 'akin'"));
  if (tables.number(0, 0) == 0) return false;
  AKIN_TRY(const Rows rows, connection.run("SELECT version FROM akin.version"));
  const std::int64_t version = rows.size() == 1 ? rows.number(0, 0) : 0;
  if (version != kSchemaVersion) {
    return other_schema("it has the version " + std::to_string(version) + ", this akin knows " +
                        std::to_string(kSchemaVersion));
  }
  // The first tables, which no release had, have the number of the first release.
  if (tables.number(0, 1) == 0) return other_schema("an akin before the first release made its tables");
  AKIN_TRY(const Rows citus, connection.run("SELECT FROM akin.topology WHERE kind = 'citus'"));
  if (citus.size() > 0) return initialised_for_citus();
  return true;
}

Result<void> make_schema(Connection& connection) {
  // Creating objects needs privileges that a write-only role lacks.
  AKIN_TRY(const bool is_there, has_schema(connection));
  if (is_there) {
    const Result<void> made = complete_schema(connection);
    // Only an owner can add to the tables of an earlier akin. Without that, dictionaries are not kept.
    return made.has_error() && made.error().code != Errc::forbidden ? made : Result<void>();
  }
  AKIN_CHECK(begin(connection));
  AKIN_CHECK(connection.command(kLockSchema));
  AKIN_CHECK(connection.command(kMakeSchema));
  AKIN_CHECK(commit(connection));
  return make_dictionary_tables(connection);
}

Result<StoreNumber> make_store(Connection& connection, Pool& pool, const StoreIdentity& identity) {
  AKIN_TRY(const Rows made,
           connection.run("INSERT INTO akin.stores (format, scheme, fingerprint, languages, store_text)"
                          " VALUES ($1, $2, $3, $4, $5) RETURNING store",
                          Params()
                              .number(format_of(identity))
                              .bytes(identity.scheme)
                              .bytes(identity.fingerprint)
                              .bytes(identity.languages)
                              .number(kept_of(identity))));
  const StoreNumber number{made.number(0, 0)};
  AKIN_CHECK(connection.command(of_store(kMakeStore, number)));
  if (identity.store_file) AKIN_CHECK(connection.command(of_store(kCountFiles, number)));
  AKIN_CHECK(
      make_content(connection, pool, number, {.file = identity.store_file, .words = identity.store_text}));
  return number;
}

Result<bool> may_write(Connection& connection) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT (NOT pg_is_in_recovery()"
                          " AND has_table_privilege('akin.collections', 'DELETE'))::int::bigint"));
  return rows.number(0, 0) != 0;
}

Result<void> drop_store(Pool& pool, StoreNumber number) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_TRY(const Parts parts, Parts::read(*connection, pool, number));
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(connection->run("DELETE FROM akin.stores WHERE store = $1",
                             Params().number(static_cast<std::int64_t>(number))));
  AKIN_CHECK(connection->command(of_store(
      "DROP TABLE IF EXISTS akin.documents_@, akin.tombstones_@, akin.frequent_features_@, akin.levels_@;"
      "DROP SEQUENCE IF EXISTS akin.next_document_@",
      number)));
  AKIN_CHECK(drop_content_here(*connection, parts, number));
  AKIN_CHECK(commit(*connection));
  // Tables on a shard that is down then belong to no store: drop_orphaned_content finds them.
  static_cast<void>(drop_content(parts, number));
  return {};
}

Result<StoreDescription> read_description(Connection& connection, StoreNumber number) {
  AKIN_TRY(const Rows rows,
           connection.run("SELECT format, scheme, fingerprint, languages, store_text FROM akin.stores"
                          " WHERE store = $1",
                          Params().number(static_cast<std::int64_t>(number))));
  if (rows.size() == 0) return no_store(number);
  if (!is_known_store_format(rows.number(0, 0))) {
    return Error{
        Errc::mismatch, "store " + std::to_string(static_cast<std::int64_t>(number)),
        "it has the format " + std::to_string(rows.number(0, 0)) + ", this akin reads " +
            std::to_string(kStoreFormat) + " to " + std::to_string(kStoreFormatWithWords),
        rows.number(0, 0) < kStoreFormat
            ? "drop the collection and index its texts again; to keep it, copy it with the akin that made "
              "it (akin store copy) into a data folder, and from there with this one"
            : "use the akin that made it"};
  }
  StoreIdentity identity{std::string(rows.bytes(0, 1)), std::string(rows.bytes(0, 2)),
                         std::string(rows.bytes(0, 3)), (rows.number(0, 4) & kKeepsTexts) != 0,
                         (rows.number(0, 4) & kKeepsFiles) != 0};
  return StoreDescription{std::move(identity), {.with_words = rows.number(0, 0) >= kStoreFormatWithWords}};
}

Statement select_counters(StoreNumber number, bool lock) {
  return {// A reader cannot add the last two columns to the table of an earlier akin.
          "SELECT documents, features, postings, text_bytes, text_stored_bytes, last_revision, retired,"
          " (to_jsonb(s) ->> 'file_bytes')::bigint, (to_jsonb(s) ->> 'file_stored_bytes')::bigint"
          " FROM akin.stores s WHERE store = $1" +
              std::string(lock ? " FOR UPDATE" : ""),
          Params().number(static_cast<std::int64_t>(number))};
}

Result<StoreCounters> counters_of(const Rows& rows, StoreNumber number, bool lock) {
  if (rows.size() == 0) return no_store(number);
  if (lock && rows.number(0, 6) != 0) {
    return Error{Errc::not_found, "store " + std::to_string(static_cast<std::int64_t>(number)),
                 "another store has replaced it", "open the collection again"};
  }
  StoreCounters counters{rows.number(0, 0), rows.number(0, 1),
                         rows.number(0, 2), rows.number(0, 3),
                         rows.number(0, 4), Revision(static_cast<std::uint64_t>(rows.number(0, 5)))};
  if (!rows.is_null(0, 7)) counters.files = {rows.number(0, 7), rows.number(0, 8)};
  return counters;
}

Result<StoreCounters> read_counters(Connection& connection, StoreNumber number, bool lock) {
  const Statement statement = select_counters(number, lock);
  AKIN_TRY(const Rows rows, connection.run(statement.sql, statement.params));
  return counters_of(rows, number, lock);
}

Statement update_counters(StoreNumber number, const StoreCounters& counters) {
  Params params;
  params.number(static_cast<std::int64_t>(number))
      .number(counters.documents)
      .number(counters.features)
      .number(counters.postings)
      .number(counters.text_bytes)
      .number(counters.text_stored_bytes)
      .number(static_cast<std::int64_t>(counters.last_revision.value));
  if (counters.files) params.number(counters.files->bytes).number(counters.files->stored_bytes);
  return {
      "UPDATE akin.stores SET documents = $2, features = $3, postings = $4, text_bytes = $5,"
      " text_stored_bytes = $6, last_revision = $7" +
          std::string(counters.files ? ", file_bytes = $8, file_stored_bytes = $9" : "") +
          " WHERE store = $1",
      std::move(params)};
}

}  // namespace akin::pg
