// Connections kept open to one server and to those that it works with.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "index/pg/connection.h"

namespace akin::pg {

/// A pool of connections to one server; thread-safe.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  explicit Pool(std::string conninfo) : conninfo_(std::move(conninfo)) {}

  /// Returns its connection when it is destroyed; an open transaction is rolled back first.
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

  /// An idle connection that answers, or a new one. When a broken connection is returned, the idle ones are
  /// closed too, as they may be broken for the same reason. While a server does not answer, one caller at a
  /// time waits for it, and after a failed attempt none for as long as the attempt took (5 s at most): all
  /// others get that attempt's error at once.
  [[nodiscard]] Result<Lease> lease();
  [[nodiscard]] const std::string& conninfo() const noexcept { return conninfo_; }
  /// The pool of another server; lives as long as this one.
  [[nodiscard]] std::shared_ptr<Pool> peer(const std::string& conninfo);

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    std::chrono::steady_clock::time_point since;
  };
  [[nodiscard]] Result<std::unique_ptr<Connection>> connect();
  /// The one that was returned last; without a connection if none is idle.
  [[nodiscard]] Idle take_idle();
  void close_idle();
  void take_back(std::unique_ptr<Connection> connection);

  const std::string conninfo_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Pool>> peers_;  ///< guarded by mutex_
  std::vector<Idle> idle_;                              ///< guarded by mutex_
  std::optional<Error> down_;                           ///< of the last attempt to connect; guarded by mutex_
  bool is_attempting_ = false;                          ///< while down; guarded by mutex_
  std::chrono::steady_clock::time_point next_attempt_;  ///< while down; guarded by mutex_
};

}  // namespace akin::pg
