// Where the postings and texts of a database's stores are: in the database itself, or in shards.
//
//   akin.topology   one row: kind ('single', 'shards'), cluster (names this database and its shards)
//   akin.shards     number, foreign server, connection string of each shard; readable by the owner only
//   akin.shard_of_K foreign table: shard K's own row akin.shard_of
// and in each shard's database
//   akin.shard_of   one row: the cluster that it belongs to, and its number there
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

/// server_version_num of the oldest supported PostgreSQL: 15.
inline constexpr std::int64_t kOldestServer = 150000;

struct Shard {
  std::int64_t number = 0;  ///< from 0
  std::string server;       ///< its foreign server, on the coordinator
  std::string conninfo;     ///< libpq's, for direct connections; with a password, if it needs one
};

enum class TopologyKind {
  single,  ///< everything is in one database
  shards,  ///< the coordinator has the directory, and reaches the rest through postgres_fdw
};

/// "single", "shards".
[[nodiscard]] const char* topology_name(TopologyKind kind) noexcept;

struct Topology {
  TopologyKind kind = TopologyKind::single;
  std::string cluster;        ///< 32 hexadecimal digits; empty if init_topology was never called
  std::vector<Shard> shards;  ///< in order of their numbers; empty unless the kind is `shards`
};

/// A database without init_topology is single. Error also: corrupt.
[[nodiscard]] Result<Topology> read_topology(Connection& connection);

struct TopologyRequest {
  TopologyKind kind = TopologyKind::single;
  std::vector<std::string> shards;  ///< connection strings: shard 0, 1, …
};

/// Creates akin's schema in a database and gives it the requested topology: the tables above, extensions, and
/// a foreign server for each shard, which is tested. A later call applies changes: a shard's new address (the
/// database there must identify itself as that shard), more shards at the end, a single database that becomes
/// the coordinator of shards. Existing stores do not move; those created later, for instance by a reindex,
/// use all shards. A kill at any moment leaves the topology unchanged; call it again. Errors:
/// invalid_argument (a connection string, one database given twice), mismatch (fewer shards, another kind, a
/// database that is another's shard or a store of its own, PostgreSQL before 15), unsupported (an extension
/// is not installed), forbidden, busy (another init is running), io (a shard is unreachable).
[[nodiscard]] Result<void> init_topology(const std::string& conninfo, const TopologyRequest& request);

}  // namespace akin::pg
