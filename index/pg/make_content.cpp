#include "index/pg/make_content.h"

#include <string>

#include "index/pg/format.h"
#include "index/pg/schema.h"

namespace akin::pg {
namespace {

constexpr const char* kTables =
    "CREATE TABLE akin.contents_@ (doc bigint PRIMARY KEY, body bytea, sequence bytea NOT NULL);"
    "ALTER TABLE akin.contents_@ ALTER body SET STORAGE EXTERNAL, ALTER sequence SET STORAGE EXTERNAL;"
    "CREATE TABLE akin.postings_@ (key bigint NOT NULL, doc bigint NOT NULL, PRIMARY KEY (key, doc));"
    "CREATE TABLE akin.repeats_@ (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL,"
    " PRIMARY KEY (key, doc));"
    "CREATE TABLE akin.packed_postings_@ (bucket bigint NOT NULL, n bigint NOT NULL, keys bigint[] NOT NULL,"
    " docs integer[] NOT NULL);"
    "ALTER TABLE akin.packed_postings_@ ALTER keys SET STORAGE MAIN, ALTER docs SET STORAGE MAIN;"
    "CREATE INDEX ON akin.packed_postings_@ (bucket);"
    "CREATE VIEW akin.all_postings_@ AS SELECT 0::bigint AS bucket, key, doc FROM akin.postings_@ UNION ALL"
    " SELECT c.bucket, u.key, u.doc::bigint FROM akin.packed_postings_@ c, LATERAL unnest(c.keys, c.docs) AS "
    "u (key, doc);"
    "COMMENT ON TABLE akin.contents_@ IS 'akin: compressed texts and encoded feature sequences of store @';"
    "COMMENT ON TABLE akin.postings_@ IS 'akin: postings of store @ in rows of their own: recent ones, and "
    "those of"
    " frequent features';"
    "COMMENT ON TABLE akin.packed_postings_@ IS 'akin: all other postings of store @, many of neighbouring "
    "features"
    " in a row';"
    "COMMENT ON VIEW akin.all_postings_@ IS 'akin: all postings of store @';"
    "COMMENT ON TABLE akin.repeats_@ IS 'akin: features that a document of store @ has more than once'";

constexpr const char* kDropTables =
    "DROP VIEW IF EXISTS akin.all_postings_@; DROP TABLE IF EXISTS akin.contents_@, akin.postings_@, "
    "akin.repeats_@, akin.packed_postings_@";

/// As kTables, for the coordinator of shards.
constexpr const char* kPartedTables =
    "CREATE TABLE akin.contents_@ (doc bigint NOT NULL, body bytea, sequence bytea NOT NULL) PARTITION BY "
    "HASH "
    "(doc);"
    "CREATE TABLE akin.postings_@ (key bigint NOT NULL, doc bigint NOT NULL) PARTITION BY HASH (doc);"
    "CREATE TABLE akin.all_postings_@ (bucket bigint NOT NULL, key bigint NOT NULL, doc bigint NOT NULL)"
    " PARTITION BY HASH (doc);"
    "CREATE TABLE akin.repeats_@ (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL)"
    " PARTITION BY HASH (doc);"
    "COMMENT ON TABLE akin.contents_@ IS 'akin: compressed texts and encoded feature sequences of store @, "
    "over its"
    " shards';"
    "COMMENT ON TABLE akin.postings_@ IS 'akin: postings of store @ in rows of their own, over its shards';"
    "COMMENT ON TABLE akin.all_postings_@ IS 'akin: all postings of store @, over its shards';"
    "COMMENT ON TABLE akin.repeats_@ IS 'akin: features that a document of store @ has more than once, over "
    "its"
    " shards'";

constexpr const char* kDistribute =
    "SELECT create_distributed_table('akin.contents_@', 'doc');"
    "SELECT create_distributed_table('akin.postings_@', 'doc', colocate_with => 'akin.contents_@');"
    "SELECT create_distributed_table('akin.repeats_@', 'doc', colocate_with => 'akin.contents_@')";

/// Shared by sessions that make stores; exclusive for a session that searches for tables without a store.
const std::string kMaking = "SELECT " + call_of("pg_advisory_xact_lock_shared", AdvisoryLock::stores);

Result<void> make_on_shard(Pool& shard, StoreNumber store) {
  AKIN_TRY(const Pool::Lease connection, shard.lease());
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(connection->command(of_store(kTables, store)));
  return commit(*connection);
}

Result<void> make_partitions(Connection& connection, StoreNumber store, std::size_t part,
                             const Rows& shards) {
  for (const char* const table : {"contents_@", "postings_@", "all_postings_@", "repeats_@"}) {
    const std::string sql = "CREATE FOREIGN TABLE akin." + std::string(table) + "_" + std::to_string(part) +
                            " PARTITION OF akin." + table + " FOR VALUES WITH (MODULUS " +
                            std::to_string(shards.size()) + ", REMAINDER " + std::to_string(part) +
                            ") SERVER " + std::string(shards.bytes(part, 1)) +
                            " OPTIONS (schema_name 'akin', table_name '" + table + "')";
    AKIN_CHECK(connection.command(of_store(sql, store)));
  }
  // A table with many documents in each row: it is partitioned like the others, but has no partition key.
  AKIN_CHECK(connection.command(of_store(
      "CREATE FOREIGN TABLE akin.packed_postings_@_" + std::to_string(part) +
          " (bucket bigint NOT NULL, n bigint NOT NULL, keys bigint[] NOT NULL, docs integer[] NOT NULL)"
          " SERVER " +
          std::string(shards.bytes(part, 1)) +
          " OPTIONS (schema_name 'akin', table_name 'packed_postings_@', fetch_size '200')",
      store)));
  AKIN_CHECK(connection.run("INSERT INTO akin.parts (store, part, shard) VALUES ($1, $2, $3)",
                            Params()
                                .number(static_cast<std::int64_t>(store))
                                .number(static_cast<std::int64_t>(part))
                                .number(shards.number(part, 0))));
  return {};
}

}  // namespace

Result<void> make_content(Connection& connection, Pool& pool, StoreNumber store) {
  AKIN_CHECK(connection.command(kMaking));
  AKIN_TRY(const Rows citus, connection.run("SELECT FROM akin.topology WHERE kind = 'citus'"));
  AKIN_TRY(const Rows shards,
           connection.run("SELECT shard, server, conninfo FROM akin.shards ORDER BY shard"));
  if (shards.size() == 0) {
    AKIN_CHECK(connection.command(of_store(kTables, store)));
    return citus.size() == 0 ? Result<void>() : connection.command(of_store(kDistribute, store));
  }
  AKIN_CHECK(connection.command(of_store(kPartedTables, store)));
  for (std::size_t part = 0; part < shards.size(); ++part) {
    AKIN_CHECK(make_on_shard(*pool.peer(std::string(shards.bytes(part, 2))), store));
    AKIN_CHECK(make_partitions(connection, store, part, shards));
  }
  return {};
}

Result<void> drop_content_here(Connection& connection, const Parts& parts, StoreNumber store) {
  if (parts.is_local()) return connection.command(of_store(kDropTables, store));
  std::string sql =
      "DROP TABLE IF EXISTS akin.contents_@, akin.postings_@, akin.all_postings_@, akin.repeats_@";
  for (std::size_t part = 0; part < parts.shards(); ++part)
    sql += "; DROP FOREIGN TABLE IF EXISTS akin.packed_postings_@_" + std::to_string(part);
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
