// PostgreSQL as owning values: a connection, the parameters of a statement, its rows. Queries go through
// libpq only here, in pipeline.cpp and in copy_in.cpp; conninfo.cpp uses libpq to parse connection strings.
// libpq's codes become `Error` in connection.cpp only.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"

struct pg_conn;
struct pg_result;

namespace akin::pg {

/// libpq's settings for a connection whose string does not set them: an unreachable server becomes an error
/// in bounded time. In seconds, except the last one, which is in milliseconds.
inline constexpr std::array<std::pair<const char*, const char*>, 5> kTimeLimits{
    {{"connect_timeout", "10"},
     {"keepalives_idle", "10"},
     {"keepalives_interval", "5"},
     {"keepalives_count", "3"},
     {"tcp_user_timeout", "30000"}}};

/// For how long a server may send nothing to a connection that works for a request. Locks that akin waits for
/// there have shorter limits.
inline constexpr std::chrono::seconds kRequestPatience(40);

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
    std::string_view view;  ///< of a value that is not owned
    bool is_view = false;
    bool is_null = false;
  };
  std::vector<Param> params_;
};

/// A statement with parameters $1, $2 …
struct Statement {
  std::string sql;
  Params params = {};
};

/// The rows of one statement, in binary. Columns count from 0.
class Rows {
 public:
  explicit Rows(pg_result* result) noexcept : result_(result) {}

  /// Whether the statement, or the part of it that these rows are, succeeded.
  [[nodiscard]] bool is_success() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool is_null(std::size_t row, int column) const noexcept;
  /// The value of a bigint column.
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
/// statement_timeout, or a cancellation), disk_full, busy (a deadlock, a lock that cannot be obtained, too
/// many connections), forbidden (the role may not, or the server is a standby), not_found (a table is gone),
/// corrupt, unavailable (the server does not answer, or the connection broke), unsupported (a
/// pooler gives each transaction another session), io (everything else).
class Connection {
 public:
  /// Connects with a libpq connection string or URI. Errors do not contain passwords. The time limits above
  /// apply unless the string sets them; PGCONNECT_TIMEOUT is respected. Errors: unavailable (nothing answers
  /// at the address, or the server is starting or stopping), forbidden (the login is refused), not_found (the
  /// database is missing), busy (too many connections), unsupported (a pooler refuses a setting).
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const std::string& conninfo);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Runs a statement with parameters $1, $2 …; prepared once per connection.
  [[nodiscard]] Result<Rows> run(const std::string& sql, const Params& params = {});
  /// Runs statements one after another, sent without waiting for answers: one round trip. The first failure
  /// ends them and is returned. One with a large answer must be the last.
  [[nodiscard]] Result<std::vector<Rows>> run_all(std::span<const Statement> statements);
  /// Runs a statement and calls visit(rows) for each of its rows as they come, with one row at a time. An
  /// error of `visit` cancels the statement.
  [[nodiscard]] Result<void> stream(const Statement& statement,
                                    const std::function<Result<void>(const Rows&)>& visit);
  /// Runs a statement without parameters that is used once: it is not prepared.
  [[nodiscard]] Result<Rows> run_once(const std::string& sql);
  /// A name for a cursor, unique on this connection.
  [[nodiscard]] std::string unique_name() { return "c" + std::to_string(++names_); }
  /// Runs statements without parameters or rows.
  [[nodiscard]] Result<void> command(const std::string& sql);

  /// Lets the server forget the prepared statements if there are more than `most`: each takes some kB of its
  /// memory, and each collection has statements of its own. Not in a transaction.
  [[nodiscard]] Result<void> forget_statements(std::size_t most);
  /// Whether the server answers in this time; otherwise the connection is broken.
  [[nodiscard]] bool answers_within(std::chrono::milliseconds patience);

  /// False after the connection broke: it can no longer be used.
  [[nodiscard]] bool is_sound() const noexcept;
  /// Whether an idle connection is still usable, as far as that is known without a query: a server that sends
  /// something unasked is closing the connection.
  [[nodiscard]] bool is_quiet() const noexcept;
  /// Whether the server was a standby when it last answered, or, if a pooler is in between, at login: it
  /// accepts no writes.
  [[nodiscard]] bool is_standby() const noexcept;
  /// The number of the server's process, as the other end gave it at login: a pooler gives another.
  [[nodiscard]] std::int64_t session_at_login() const noexcept;
  /// Whether a transaction is open, failed or not.
  [[nodiscard]] bool in_transaction() const noexcept;

 private:
  friend class CopyIn;
  explicit Connection(pg_conn* connection) noexcept : connection_(connection) {}
  struct Values;
  [[nodiscard]] Result<void> send_all(std::span<const Statement> statements);
  [[nodiscard]] Result<void> send(const std::string& name, const Params& params);
  /// The name of a statement on the server.
  [[nodiscard]] Result<std::string> prepare(const std::string& sql, const Params& params);
  void cancel() noexcept;

  // waiting.cpp. A wait ends, and breaks the connection, when the thread's work is stopped (stop_of_work), or
  // when the server has sent nothing for kRequestPatience, if the work is a request's.
  enum class Await : std::uint8_t { sent, result };
  [[nodiscard]] bool await_answer(Await what, std::chrono::milliseconds patience);
  [[nodiscard]] bool await_bytes(bool has_more_to_send, std::chrono::milliseconds patience);
  /// Zero: without end.
  [[nodiscard]] static std::chrono::milliseconds request_patience();
  void break_off(std::string reason);
  [[nodiscard]] bool await_sent();
  /// The next part of the answer, as PQgetResult gives it.
  [[nodiscard]] Rows next_rows();
  /// `sent`: as a function of libpq returned that sends a statement.
  [[nodiscard]] Rows last_rows(int sent);
  [[nodiscard]] Error failure(pg_result* result, std::string_view doing) const;

  pg_conn* connection_;
  std::string broken_off_;  ///< why this end broke the connection; empty: it did not
  std::uint64_t names_ = 0;
  bool was_standby_ = false;                               ///< at login
  std::unordered_map<std::string, std::string> prepared_;  ///< statement → its name
};

/// The error of an address that leads to such a pooler: unsupported.
[[nodiscard]] Error pooled_transactions();

}  // namespace akin::pg
