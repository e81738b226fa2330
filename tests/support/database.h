// A PostgreSQL server of the tests' own.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "index/pg/pool.h"
#include "tests/support/network.h"
#include "tests/support/postgresql_server.h"

namespace akin::test {

/// The number of shards for the program's stores, from AKIN_TEST_SHARDS; 0: in one database.
[[nodiscard]] std::size_t wanted_shards();

/// The pool of a database of a server that this process has started, and stops at its end.
[[nodiscard]] std::shared_ptr<pg::Pool> test_database();

/// Makes another database on it, the coordinator of shards if they are wanted; its connection string.
[[nodiscard]] Result<std::string> make_test_database();

/// Makes a database on each of so many further servers, which are started when they are first asked for;
/// their connection strings.
[[nodiscard]] Result<std::vector<std::string>> make_test_shards(std::size_t count);

/// Kills the server of all databases that are no shards, as a power cut would, or starts it again.
void kill_test_server();
void start_test_server();
/// Kills the server of a shard, as a power cut would, or starts it again where it was killed.
void kill_test_shard(std::size_t shard);
void start_test_shard(std::size_t shard);

/// A server in another network, with one database. The network must outlive it.
class DistantServer {
 public:
  explicit DistantServer(const Network& network);
  ~DistantServer();
  DistantServer(const DistantServer&) = delete;
  DistantServer& operator=(const DistantServer&) = delete;

  /// Connection strings of the database: by the network, and past it.
  [[nodiscard]] const std::string& far() const noexcept { return far_; }
  [[nodiscard]] const std::string& near() const noexcept { return near_; }
  void kill();
  void start();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string near_, far_;
};

}  // namespace akin::test
