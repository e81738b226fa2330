// PostgreSQL as values that own: a connection, the parameters of a statement, its rows. The only files that
// speak to libpq; its codes become `Error` here and nowhere else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

struct pg_conn;
struct pg_result;

namespace akin::pg {

/// Parameters of one statement, in binary. Views must live until the statement has run.
class Params {
 public:
  Params& number(std::int64_t value);
  Params& bytes(std::string_view value);
  Params& null_bytes();
  Params& numbers(std::span<const std::int64_t> values);
  Params& byte_strings(std::span<const std::string_view> values);

 private:
  friend class Connection;
  struct Param {
    std::uint32_t type = 0;  ///< OID
    std::string owned;
    std::string_view view;  ///< of what is not owned
    bool is_view = false;
    bool is_null = false;
  };
  std::vector<Param> params_;
};

/// The rows of one statement, in binary. Columns count from 0.
class Rows {
 public:
  explicit Rows(pg_result* result) noexcept : result_(result) {}

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool is_null(std::size_t row, int column) const noexcept;
  /// Of a bigint column.
  [[nodiscard]] std::int64_t number(std::size_t row, int column) const noexcept;
  /// A view that lives as long as the rows.
  [[nodiscard]] std::string_view bytes(std::size_t row, int column) const noexcept;
  [[nodiscard]] pg_result* raw() const noexcept { return result_.get(); }
  /// Rows that the statement changed.
  [[nodiscard]] std::uint64_t changed() const noexcept;

 private:
  struct Clear {
    void operator()(pg_result* result) const noexcept;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

/// One connection; used by one thread at a time. Errors of all members: timed_out (the server's
/// statement_timeout, or a cancellation), disk_full, busy (a deadlock, a lock that is not to be had, too many
/// connections), forbidden (the role may not, or the server is a standby), not_found (a table is gone),
/// corrupt, io (the connection broke, everything else).
class Connection {
 public:
  /// Connects with a libpq connection string or URI. Passwords are not told in errors.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const std::string& conninfo);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Runs a statement with parameters $1, $2 …; prepared once a connection.
  [[nodiscard]] Result<Rows> run(const std::string& sql, const Params& params = {});
  /// Runs statements without parameters or rows.
  [[nodiscard]] Result<void> command(const std::string& sql);

  /// False after the connection broke: it is of no more use.
  [[nodiscard]] bool is_sound() const noexcept;
  /// Whether a transaction is open, failed or not.
  [[nodiscard]] bool in_transaction() const noexcept;

 private:
  explicit Connection(pg_conn* connection) noexcept : connection_(connection) {}
  [[nodiscard]] Error failure(pg_result* result, std::string_view doing) const;

  pg_conn* connection_;
  std::unordered_map<std::string, std::string> prepared_;  ///< statement → its name
};

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

 private:
  void take_back(std::unique_ptr<Connection> connection);

  const std::string conninfo_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;  ///< guarded by mutex_
};

}  // namespace akin::pg
