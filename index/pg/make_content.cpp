#include "index/pg/make_content.h"

#include <string>

#include "index/pg/schema.h"

namespace akin::pg {
namespace {

constexpr const char* kTables =
    "CREATE TABLE akin.s_@ (doc bigint PRIMARY KEY, body bytea, sequence bytea NOT NULL);"
    "ALTER TABLE akin.s_@ ALTER body SET STORAGE EXTERNAL, ALTER sequence SET STORAGE EXTERNAL;"
    "CREATE TABLE akin.p_@ (key bigint NOT NULL, doc bigint NOT NULL, PRIMARY KEY (key, doc));"
    "CREATE TABLE akin.r_@ (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL,"
    " PRIMARY KEY (key, doc))";

constexpr const char* kDropTables = "DROP TABLE IF EXISTS akin.s_@, akin.p_@, akin.r_@";

/// As kTables, of the coordinator of shards.
constexpr const char* kPartedTables =
    "CREATE TABLE akin.s_@ (doc bigint NOT NULL, body bytea, sequence bytea NOT NULL) PARTITION BY HASH "
    "(doc);"
    "CREATE TABLE akin.p_@ (key bigint NOT NULL, doc bigint NOT NULL) PARTITION BY HASH (doc);"
    "CREATE TABLE akin.r_@ (key bigint NOT NULL, doc bigint NOT NULL, n bigint NOT NULL)"
    " PARTITION BY HASH (doc)";

constexpr const char* kDistribute =
    "SELECT create_distributed_table('akin.s_@', 'doc');"
    "SELECT create_distributed_table('akin.p_@', 'doc', colocate_with => 'akin.s_@');"
    "SELECT create_distributed_table('akin.r_@', 'doc', colocate_with => 'akin.s_@')";

/// Makers of stores share it; whoever looks for tables without a store holds it alone.
constexpr const char* kMaking = "SELECT pg_advisory_xact_lock_shared(4704134)";

Result<void> make_on_shard(Pool& shard, StoreNumber store) {
  AKIN_TRY(const Pool::Lease connection, shard.lease());
  AKIN_CHECK(begin(*connection));
  AKIN_CHECK(connection->command(of_store(kTables, store)));
  return commit(*connection);
}

Result<void> make_partitions(Connection& connection, StoreNumber store, std::size_t part,
                             const Rows& shards) {
  for (const char* const table : {"s_@", "p_@", "r_@"}) {
    const std::string sql = "CREATE FOREIGN TABLE akin." + std::string(table) + "_" + std::to_string(part) +
                            " PARTITION OF akin." + table + " FOR VALUES WITH (MODULUS " +
                            std::to_string(shards.size()) + ", REMAINDER " + std::to_string(part) +
                            ") SERVER " + std::string(shards.bytes(part, 1)) +
                            " OPTIONS (schema_name 'akin', table_name '" + table + "')";
    AKIN_CHECK(connection.command(of_store(sql, store)));
  }
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

Result<void> drop_content(const Parts& parts, StoreNumber store) {
  for (std::size_t part = 0; part < parts.size(); ++part) {
    AKIN_TRY(const Pool::Lease connection, parts.lease(part));
    AKIN_CHECK(connection->command(of_store(kDropTables, store)));
  }
  return {};
}

Result<void> drop_orphaned_content(Pool& pool) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_CHECK(begin(*connection));
  AKIN_TRY(const Rows alone, connection->run("SELECT pg_try_advisory_xact_lock(4704134)::int::bigint"));
  // Somebody makes a store: another time.
  if (alone.number(0, 0) == 0) return commit(*connection);
  AKIN_TRY(const Rows stores, connection->run("SELECT store FROM akin.stores"));
  std::vector<std::int64_t> known;
  known.reserve(stores.size());
  for (std::size_t row = 0; row < stores.size(); ++row) known.push_back(stores.number(row, 0));
  AKIN_TRY(const Rows shards, connection->run("SELECT conninfo FROM akin.shards"));
  for (std::size_t row = 0; row < shards.size(); ++row) {
    AKIN_TRY(const Pool::Lease shard, pool.peer(std::string(shards.bytes(row, 0)))->lease());
    AKIN_TRY(const Rows orphans, shard->run("SELECT substr(tablename, 3)::bigint AS store FROM pg_tables"
                                            " WHERE schemaname = 'akin' AND tablename ~ '^s_[0-9]+$'"
                                            " AND NOT substr(tablename, 3)::bigint = ANY($1)",
                                            Params().numbers(known)));
    for (std::size_t orphan = 0; orphan < orphans.size(); ++orphan)
      AKIN_CHECK(shard->command(of_store(kDropTables, StoreNumber{orphans.number(orphan, 0)})));
  }
  return commit(*connection);
}

}  // namespace akin::pg
