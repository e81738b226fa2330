// A PostgreSQL server of the tests' own.
#pragma once

#include <memory>
#include <string>

#include "index/pg/client/pool.h"
#include "tests/support/network.h"
#include "tests/support/postgresql_server.h"

namespace akin::test {

/// The pool of a database of a server that this process has started, and stops at its end.
[[nodiscard]] std::shared_ptr<pg::Pool> test_database();

/// Makes another database on it; its connection string.
[[nodiscard]] Result<std::string> make_test_database();

/// Kills the server, as a power cut would, or starts it again.
void kill_test_server();
void start_test_server();

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
