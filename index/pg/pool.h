// Connections that are kept open, of one server and of those that it works with.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

/// Connections to one server, handed out and taken back; thread-safe.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  explicit Pool(std::string conninfo) : conninfo_(std::move(conninfo)) {}

  /// Gives its connection back when it dies; one with an open transaction is rolled back first.
  class Lease {
   public:
    Lease(std::shared_ptr<Pool> pool, std::unique_ptr<Connection> connection) noexcept
        : pool_(std::move(pool)), connection_(std::move(connection)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Connection* operator->() const noexcept { return connection_.get(); }
    Connection& operator*() const noexcept { return *connection_; }

   private:
    std::shared_ptr<Pool> pool_;
    std::unique_ptr<Connection> connection_;
  };

  /// A connection that is idle, or a new one.
  [[nodiscard]] Result<Lease> lease();
  [[nodiscard]] const std::string& conninfo() const noexcept { return conninfo_; }
  /// The pool of another server, as long as this one lives.
  [[nodiscard]] std::shared_ptr<Pool> peer(const std::string& conninfo);

 private:
  void take_back(std::unique_ptr<Connection> connection);

  const std::string conninfo_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Pool>> peers_;  ///< guarded by mutex_
  std::vector<std::unique_ptr<Connection>> idle_;       ///< guarded by mutex_
};

}  // namespace akin::pg
