// Where the postings and texts of a database's stores lie: in the database itself, in shards, or in Citus.
//
//   akin.topology   one row: kind ('single', 'shards', 'citus'), cluster (names this database and its shards)
//   akin.shards     number, foreign server, connection string of each shard; for the owner's eyes only
//   akin.shard_of_K foreign table: what shard K says it is
// and in each shard's database
//   akin.shard_of   one row: the cluster that it belongs to, and its number there
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

/// server_version_num of the oldest PostgreSQL that akin works with: 15.
inline constexpr std::int64_t kOldestServer = 150000;

struct Shard {
  std::int64_t number = 0;  ///< from 0
  std::string server;       ///< of postgres_fdw, on the coordinator
  std::string conninfo;     ///< libpq's, for connections of akin's own; with a password, if it needs one
};

enum class TopologyKind {
  single,  ///< everything is in one database
  shards,  ///< the coordinator has the directory, and reaches the rest by postgres_fdw
  citus,   ///< Citus distributes the tables
};

/// "single", "shards", "citus".
[[nodiscard]] const char* topology_name(TopologyKind kind) noexcept;

struct Topology {
  TopologyKind kind = TopologyKind::single;
  std::string cluster;        ///< 32 hexadecimal digits; empty where init_topology was never called
  std::vector<Shard> shards;  ///< in order of their numbers; none but in `shards`
};

/// A database of which init_topology knows nothing is single. Error also: corrupt.
[[nodiscard]] Result<Topology> read_topology(Connection& connection);

struct TopologyRequest {
  TopologyKind kind = TopologyKind::single;
  std::vector<std::string> shards;  ///< connection strings: shard 0, 1, …
};

/// Makes akin's schema in a database, and of the database what is asked for: the tables above, extensions, a
/// foreign server for each shard, which is tried. Called again it changes what changed: a shard's new address
/// (the database there must say that it is that shard), more shards at the end, a single database that
/// becomes the coordinator of shards. Stores stay where they are; those made later, by a reindex for
/// instance, are in all shards. A kill at any moment leaves the topology as it was; call it again. Errors:
/// invalid_argument (a connection string, one database given twice), mismatch (fewer shards, another kind, a
/// database that is another's shard or a store of its own, PostgreSQL before 15), unsupported (an extension
/// is not installed), forbidden, busy (another init is at work), io (a shard is not to be reached).
[[nodiscard]] Result<void> init_topology(const std::string& conninfo, const TopologyRequest& request);

}  // namespace akin::pg
