#include "index/pg/make_content.h"

#include <array>
#include <string>

#include "index/pg/format.h"
#include "index/pg/schema.h"

namespace akin::pg {
namespace {

constexpr const char* kTables =
    "CREATE TABLE akin.contents_@ (doc bigint PRIMARY KEY, body bytea, sequence bytea NOT NULL);"
    "ALTER TABLE akin.contents_@ ALTER body SET STORAGE EXTERNAL, ALTER sequence SET STORAGE EXTERNAL;"
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

/// Also those of format 1: repeats and a view of all postings.
constexpr const char* kDropTables =
    "DROP TABLE IF EXISTS akin.contents_@, akin.postings_@, akin.packed_postings_@, akin.frequent_postings_@,"
    " akin.posting_sizes_@, akin.repeats_@ CASCADE";

/// Tables with postings of many documents in each row: their parts have no partition key. A view unites them.
struct PackedTable {
  const char* name;
  const char* columns;
};
constexpr std::array<PackedTable, 3> kPackedTables{
    {{"packed_postings_@", "bucket bigint NOT NULL, body bytea NOT NULL"},
     {"frequent_postings_@",
      "id bigint NOT NULL, key bigint NOT NULL, n bigint NOT NULL, body bytea NOT NULL"},
     {"posting_sizes_@", "level bigint NOT NULL, postings bigint NOT NULL, rows bigint NOT NULL"}}};

/// As kTables, for the coordinator of shards.
constexpr const char* kPartedTables =
    "CREATE TABLE akin.contents_@ (doc bigint NOT NULL, body bytea, sequence bytea NOT NULL) PARTITION BY "
    "HASH "
    "(doc);"
    "CREATE TABLE akin.postings_@ (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL)"
    " PARTITION BY HASH (doc);"
    "COMMENT ON TABLE akin.contents_@ IS 'akin: compressed texts and encoded feature sequences of store @, "
    "over its"
    " shards';"
    "COMMENT ON TABLE akin.postings_@ IS 'akin: recent postings of store @, over its shards'";

/// Shared by sessions that make stores; exclusive for a session that searches for tables without a store.
const std::string kMaking = "SELECT " + call_of("pg_advisory_xact_lock_shared", AdvisoryLock::stores);

/// Adds the columns that only some stores have, where the tables are and at their coordinator: the foreign
/// tables get them from the one whose partitions they are.
std::string add(const ContentColumns& columns) {
  return std::string(columns.file ? ";ALTER TABLE akin.contents_@ ADD COLUMN file bytea" : "") +
         (columns.words ? ";ALTER TABLE akin.contents_@ ADD COLUMN words bytea" : "");
}

std::string tables_here(const ContentColumns& columns) {
  return kTables + add(columns) +
         (columns.file ? ";ALTER TABLE akin.contents_@ ALTER file SET STORAGE EXTERNAL" : "") +
         (columns.words ? ";ALTER TABLE akin.contents_@ ALTER words SET STORAGE EXTERNAL" : "");
}

Result<void> make_on_shard(Pool& shard, StoreNumber store, const ContentColumns& columns) {
  AKIN_TRY(const Pool::Lease connection, shard.lease());
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(connection->command(of_store(tables_here(columns), store)));
  return commit(*connection);
}

/// Unites the parts of packed tables; a row's part is in the column `part`.
Result<void> make_views(Connection& connection, StoreNumber store, std::size_t parts) {
  for (const PackedTable& table : kPackedTables) {
    std::string sql = "CREATE VIEW akin." + std::string(table.name) + " AS ";
    for (std::size_t part = 0; part < parts; ++part) {
      sql += (part == 0 ? "" : " UNION ALL ") + std::string("SELECT *, ") + std::to_string(part) +
             "::bigint AS part FROM akin." + table.name + "_" + std::to_string(part);
    }
    sql += "; COMMENT ON VIEW akin." + std::string(table.name) +
           " IS 'akin: this table of all shards of store @'";
    AKIN_CHECK(connection.command(of_store(sql, store)));
  }
  return {};
}

Result<void> make_partitions(Connection& connection, StoreNumber store, std::size_t part,
                             const Rows& shards) {
  for (const char* const table : {"contents_@", "postings_@"}) {
    const std::string sql = "CREATE FOREIGN TABLE akin." + std::string(table) + "_" + std::to_string(part) +
                            " PARTITION OF akin." + table + " FOR VALUES WITH (MODULUS " +
                            std::to_string(shards.size()) + ", REMAINDER " + std::to_string(part) +
                            ") SERVER " + std::string(shards.bytes(part, 1)) +
                            " OPTIONS (schema_name 'akin', table_name '" + table + "')";
    AKIN_CHECK(connection.command(of_store(sql, store)));
  }
  for (const PackedTable& table : kPackedTables) {
    AKIN_CHECK(connection.command(
        of_store("CREATE FOREIGN TABLE akin." + std::string(table.name) + "_" + std::to_string(part) + " (" +
                     table.columns + ") SERVER " + std::string(shards.bytes(part, 1)) +
                     " OPTIONS (schema_name 'akin', table_name '" + table.name + "', fetch_size '1000')",
                 store)));
  }
  AKIN_CHECK(connection.run("INSERT INTO akin.parts (store, part, shard) VALUES ($1, $2, $3)",
                            Params()
                                .number(static_cast<std::int64_t>(store))
                                .number(static_cast<std::int64_t>(part))
                                .number(shards.number(part, 0))));
  return {};
}

}  // namespace

Result<void> make_content(Connection& connection, Pool& pool, StoreNumber store,
                          const ContentColumns& columns) {
  AKIN_CHECK(connection.command(kMaking));
  AKIN_TRY(const Rows shards,
           connection.run("SELECT shard, server, conninfo FROM akin.shards ORDER BY shard"));
  if (shards.size() == 0) return connection.command(of_store(tables_here(columns), store));
  AKIN_CHECK(connection.command(of_store(kPartedTables + add(columns), store)));
  for (std::size_t part = 0; part < shards.size(); ++part) {
    AKIN_CHECK(make_on_shard(*pool.peer(std::string(shards.bytes(part, 2))), store, columns));
    AKIN_CHECK(make_partitions(connection, store, part, shards));
  }
  return make_views(connection, store, shards.size());
}

Result<void> drop_content_here(Connection& connection, const Parts& parts, StoreNumber store) {
  if (parts.is_local()) return connection.command(of_store(kDropTables, store));
  std::string sql =
      "DROP TABLE IF EXISTS akin.contents_@, akin.postings_@, akin.repeats_@, akin.all_postings_@";
  for (const PackedTable& table : kPackedTables) {
    sql += "; DROP VIEW IF EXISTS akin." + std::string(table.name);
    for (std::size_t part = 0; part < parts.shards(); ++part)
      sql += "; DROP FOREIGN TABLE IF EXISTS akin." + std::string(table.name) + "_" + std::to_string(part);
  }
  return connection.command(of_store(sql, store));
}

Result<void> drop_content(const Parts& parts, StoreNumber store) {
  for (std::size_t part = 0; part < parts.shards(); ++part) {
    AKIN_TRY(const Pool::Lease connection, parts.lease(part));
    AKIN_CHECK(connection->command(of_store(kDropTables, store)));
  }
  return {};
}

Result<void> drop_orphaned_content(Pool& pool) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_CHECK(begin(*connection));
  AKIN_TRY(const Rows alone,
           connection->run("SELECT " + call_of("pg_try_advisory_xact_lock", AdvisoryLock::stores) +
                           "::int::bigint"));
  // Another session is making a store: try again later.
  if (alone.number(0, 0) == 0) return commit(*connection);
  AKIN_TRY(const Rows stores, connection->run("SELECT store FROM akin.stores"));
  std::vector<std::int64_t> known;
  known.reserve(stores.size());
  for (std::size_t row = 0; row < stores.size(); ++row) known.push_back(stores.number(row, 0));
  AKIN_TRY(const Rows shards, connection->run("SELECT conninfo FROM akin.shards"));
  for (std::size_t row = 0; row < shards.size(); ++row) {
    AKIN_TRY(const Pool::Lease shard, pool.peer(std::string(shards.bytes(row, 0)))->lease());
    AKIN_TRY(const Rows orphans, shard->run("SELECT store FROM (SELECT substring(tablename from "
                                            "'^contents_([0-9]+)$')::bigint AS store FROM pg_tables"
                                            " WHERE schemaname = 'akin') AS found"
                                            " WHERE store IS NOT NULL AND NOT store = ANY($1)",
                                            Params().numbers(known)));
    for (std::size_t orphan = 0; orphan < orphans.size(); ++orphan)
      AKIN_CHECK(shard->command(of_store(kDropTables, StoreNumber{orphans.number(orphan, 0)})));
  }
  return commit(*connection);
}

}  // namespace akin::pg
