// Connections kept open to one server.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "index/pg/client/connection.h"

namespace akin::pg {

/// A pool of connections to one server; thread-safe.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  /// That one pool has at once: three servers with two pools each fit into PostgreSQL's default of 100.
  static constexpr std::size_t kMostConnections = 16;
  /// How long a caller waits for one of them, or for a slot of the server.
  static constexpr std::chrono::seconds kPatience{30};

  explicit Pool(std::string conninfo, std::size_t most = kMostConnections,
                std::chrono::milliseconds patience = kPatience)
      : conninfo_(std::move(conninfo)), most_(most), patience_(patience) {}

  /// Returns its connection when it is destroyed; an open transaction is rolled back first.
  class Loan {
   public:
    Loan(std::shared_ptr<Pool> pool, std::unique_ptr<Connection> connection) noexcept;
    Loan(Loan&&) noexcept = default;
    Loan& operator=(Loan&&) = delete;
    ~Loan();
    Connection* operator->() const noexcept { return connection_.get(); }
    Connection& operator*() const noexcept { return *connection_; }

   private:
    std::shared_ptr<Pool> pool_;
    std::unique_ptr<Connection> connection_;
    std::shared_ptr<std::atomic<int>> taker_;  ///< counts the loans that a thread took and that exist
  };

  /// An idle connection that answers, or a new one. Waits while all of the pool's are in use, unless this
  /// thread has one already, and while the server has no slot for another; then the error is busy. When a
  /// broken connection is returned, the idle ones are closed too, as they may be broken for the same reason.
  /// While a server does not answer, one caller at a time waits for it, and after a failed attempt none for
  /// as long as the attempt took (5 s at most): all others get that attempt's error at once.
  [[nodiscard]] Result<Loan> borrow();
  [[nodiscard]] const std::string& conninfo() const noexcept { return conninfo_; }

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    std::chrono::steady_clock::time_point since;
  };
  [[nodiscard]] Result<Loan> try_borrow();
  /// Counts one more connection in use; false if there are as many as there may be.
  [[nodiscard]] bool take_place();
  void give_place_back();
  [[nodiscard]] Result<std::unique_ptr<Connection>> connected();
  [[nodiscard]] Result<std::unique_ptr<Connection>> connect();
  /// The one that was returned last; without a connection if none is idle.
  [[nodiscard]] Idle take_idle();
  void close_idle();
  void take_back(std::unique_ptr<Connection> connection);

  const std::string conninfo_;
  const std::size_t most_;
  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::size_t in_use_ = 0;                              ///< guarded by mutex_
  std::vector<Idle> idle_;                              ///< guarded by mutex_
  std::optional<Error> down_;                           ///< of the last attempt to connect; guarded by mutex_
  bool is_attempting_ = false;                          ///< while down; guarded by mutex_
  std::chrono::steady_clock::time_point next_attempt_;  ///< while down; guarded by mutex_
  std::optional<Error> full_;                           ///< the server has no slot; guarded by mutex_
  std::chrono::steady_clock::time_point full_until_;    ///< when the next one asks; guarded by mutex_
};

}  // namespace akin::pg
