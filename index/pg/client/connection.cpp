#include "index/pg/client/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/waiting.h"
#include "index/pg/client/binary.h"

namespace akin::pg {
namespace {

struct StateRule {
  std::string_view prefix;  ///< of SQLSTATE
  Errc code;
  std::string_view remedy;
};

constexpr std::string_view kReadOnly = "25006";
constexpr const char* kSessionMode = "give akin an address with pool_mode = session, or the server's own";

constexpr std::array<StateRule, 18> kStates{{
    {"57014", Errc::timed_out, "raise statement_timeout, or ask for less"},
    {"53100", Errc::disk_full, "make room on the database server"},
    {"53300", Errc::busy, "raise max_connections, or try again"},
    {"40001", Errc::busy, "try again"},
    {"40P01", Errc::busy, "try again"},
    {"55P03", Errc::busy, "try again"},
    {"57P01", Errc::unavailable, "try again when the database server is back"},
    {"57P02", Errc::unavailable, "try again when the database server is back"},
    {"57P03", Errc::unavailable, "wait until the database server has started"},
    // A pooler has given another client's session, or this client's statement to another session.
    {"42P05", Errc::unsupported, kSessionMode},
    {"26000", Errc::unsupported, kSessionMode},
    {"42501", Errc::forbidden, "grant it to the role: see akin store roles --help"},
    {kReadOnly, Errc::forbidden, "give the address of the server that takes writes"},
    {"42P01", Errc::not_found, ""},
    {"3F000", Errc::not_found, ""},
    {"3D000", Errc::not_found, "create the database"},
    {"XX001", Errc::corrupt, "restore a backup of the database"},
    {"XX002", Errc::corrupt, "reindex the table of the database"},
}};

/// A refusal to connect, which has no SQLSTATE in libpq.
struct LoginRule {
  std::string_view words;
  Errc code;
  std::string_view remedy;
};

constexpr std::array<LoginRule, 12> kLogins{{
    {"password authentication failed", Errc::forbidden,
     "check the role and its password: in the address, in PGPASSWORD or in ~/.pgpass"},
    {"no password supplied", Errc::forbidden,
     "give the password: in the address, in PGPASSWORD or in ~/.pgpass"},
    {"no pg_hba.conf entry", Errc::forbidden, "allow this login in the server's pg_hba.conf"},
    {"too many clients", Errc::busy, "raise max_connections, or try again"},
    {"connection slots are reserved", Errc::busy, "raise max_connections, or try again"},
    {"too many connections for", Errc::busy,
     "raise the CONNECTION LIMIT of the role or database, or try again"},
    {"no more connections allowed", Errc::busy, "raise PgBouncer's max_client_conn, or try again"},
    {"the database system is", Errc::unavailable, "wait until the database server has started"},
    {"unsupported startup parameter", Errc::unsupported,
     "leave out options in the address, or set ignore_startup_parameters in PgBouncer"},
    {"could not translate host name", Errc::unavailable, "check the name of the host in the address"},
    {"session is read-only", Errc::unavailable,
     "give the address of the server that takes writes, or wait until a standby is promoted"},
    {"permission denied for database", Errc::forbidden, "GRANT CONNECT ON the DATABASE TO the role"},
}};

std::string first_line(const char* message) {
  std::string line = message == nullptr ? "" : message;
  line.resize(std::min(line.find('\n'), line.size()));
  return line;
}

std::string_view line_with(std::string_view message, std::size_t at) {
  const std::size_t begin = message.rfind('\n', at);
  const std::size_t first = begin == std::string_view::npos ? 0 : begin + 1;
  return message.substr(first, message.find('\n', at) - first);
}

/// A server that has answered reports what is wrong after this word; its address is not part of that.
std::string without_address(std::string_view line) {
  constexpr std::string_view kFatal = "FATAL:  ";
  const std::size_t fatal = line.find(kFatal);
  return std::string(fatal == std::string_view::npos ? line : line.substr(fatal + kFatal.size()));
}

/// `message` is libpq's, one line or more for each host of the address.
Error login_failure(const std::string& message) {
  for (const LoginRule& rule : kLogins) {
    const std::size_t at = message.find(rule.words);
    if (at == std::string::npos) continue;
    return Error{rule.code, "database", without_address(line_with(message, at)), std::string(rule.remedy)};
  }
  const std::string line = first_line(message.c_str());
  const bool missing = line.ends_with("does not exist");
  if (missing && line.find("FATAL:  database") != std::string::npos) {
    return Error{Errc::not_found, "database", without_address(line),
                 "create it (createdb), or check the database's name in the address"};
  }
  if (missing && line.find("FATAL:  role") != std::string::npos) {
    return Error{Errc::forbidden, "database", without_address(line),
                 "create it (createuser), or check the user in the address"};
  }
  return Error{Errc::unavailable, "database", line,
               "check that the server runs, and the host and port in the address"};
}

}  // namespace

Params& Params::number(std::int64_t value) {
  Param& param = params_.emplace_back();
  param.type = kBigint;
  append_big_endian(param.owned, value);
  return *this;
}

Params& Params::bytes(std::string_view value) {
  params_.push_back({kBytea, {}, value, true, false});
  return *this;
}

Params& Params::null_bytes() {
  params_.push_back({kBytea, {}, {}, true, true});
  return *this;
}

Params& Params::numbers(std::span<const std::int64_t> values) {
  Param& param = params_.emplace_back();
  param.type = kBigintArray;
  param.owned = binary_array(values);
  return *this;
}

Params& Params::byte_strings(std::span<const std::string_view> values) {
  Param& param = params_.emplace_back();
  param.type = kByteaArray;
  param.owned = array_head(values.size(), kBytea);
  for (const std::string_view value : values) {
    append_big_endian<std::int32_t>(param.owned, static_cast<std::int32_t>(value.size()));
    param.owned += value;
  }
  return *this;
}

void Rows::Clear::operator()(pg_result* result) const noexcept { PQclear(result); }

bool Rows::is_success() const noexcept {
  const ExecStatusType status = PQresultStatus(result_.get());
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_SINGLE_TUPLE;
}

std::size_t Rows::size() const noexcept { return static_cast<std::size_t>(PQntuples(result_.get())); }

bool Rows::is_null(std::size_t row, int column) const noexcept {
  return PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
}

std::int64_t Rows::number(std::size_t row, int column) const noexcept {
  std::uint64_t bits = 0;
  for (const char byte : bytes(row, column)) bits = bits << 8U | static_cast<unsigned char>(byte);
  return std::bit_cast<std::int64_t>(bits);
}

std::string_view Rows::bytes(std::size_t row, int column) const noexcept {
  const int at = static_cast<int>(row);
  return {PQgetvalue(result_.get(), at, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), at, column))};
}

std::uint64_t Rows::changed() const noexcept {
  return std::strtoull(PQcmdTuples(result_.get()), nullptr, 10);
}

Result<std::unique_ptr<Connection>> Connection::open(const std::string& conninfo) {
  // Settings in the string override those before it.
  std::vector<const char*> keywords, values;
  for (const auto& [keyword, value] : kTimeLimits) {
    if (std::string_view(keyword) == "connect_timeout" && std::getenv("PGCONNECT_TIMEOUT") != nullptr)
      continue;
    keywords.push_back(keyword);
    values.push_back(value);
  }
  keywords.insert(keywords.end(), {"dbname", nullptr});
  values.insert(values.end(), {conninfo.c_str(), nullptr});
  const auto connect = [&] {
    const Waiting waiting;
    return PQconnectdbParams(keywords.data(), values.data(), 1);
  };
  std::unique_ptr<Connection> connection(new Connection(connect()));
  if (!connection->is_sound()) {
    const char* const message = PQerrorMessage(connection->connection_);
    return login_failure(message == nullptr ? "" : message);
  }
  PQsetNoticeProcessor(
      connection->connection_, [](void*, const char*) {}, nullptr);
  PQsetnonblocking(connection->connection_, 1);
  // With the interval, the server notices within seconds that a client has broken off.
  const Rows set = connection->last_rows(PQsendQuery(
      connection->connection_,
      "SET client_min_messages = warning; SET jit = off; SET max_parallel_workers_per_gather = 0;"
      " SET plan_cache_mode = force_custom_plan;"
      // Whatever the role's or the database's default is: the statements are written for this one.
      " SET default_transaction_isolation = 'read committed';"
      " SELECT set_config('client_connection_check_interval', '5000', false)"
      " WHERE current_setting('server_version_num')::int >= 140000;"
      " SELECT pg_is_in_recovery()"));
  if (!set.is_success()) return connection->failure(set.raw(), "a command");
  connection->was_standby_ = set.bytes(0, 0) == "t";
  return connection;
}

Connection::~Connection() { PQfinish(connection_); }

bool Connection::is_sound() const noexcept {
  return broken_off_.empty() && PQstatus(connection_) == CONNECTION_OK;
}

bool Connection::is_quiet() const noexcept {
  pollfd socket{PQsocket(connection_), POLLIN, 0};
  return is_sound() && poll(&socket, 1, 0) == 0;
}

bool Connection::is_standby() const noexcept {
  // A pooler does not pass it on.
  const char* const state = PQparameterStatus(connection_, "in_hot_standby");
  return state == nullptr ? was_standby_ : std::string_view(state) == "on";
}

std::int64_t Connection::session_at_login() const noexcept { return PQbackendPID(connection_); }

bool Connection::in_transaction() const noexcept { return PQtransactionStatus(connection_) != PQTRANS_IDLE; }

Error Connection::failure(pg_result* result, std::string_view doing) const {
  const char* const state = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const primary =
      result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  const char* const detail = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
  std::string reason = primary != nullptr     ? primary
                       : !broken_off_.empty() ? broken_off_
                                              : first_line(PQerrorMessage(connection_));
  if (detail != nullptr) reason += ": " + first_line(detail);
  const std::string what = "database, " + std::string(doing);
  if (state != nullptr && std::string_view(state) == kReadOnly && is_standby()) {
    return Error{Errc::forbidden, "database", "it is a standby, which accepts no writes",
                 "send writes to a server that works with the primary"};
  }
  if (state != nullptr) {
    for (const StateRule& rule : kStates) {
      if (rule.prefix == state) return Error{rule.code, what, reason, std::string(rule.remedy)};
    }
    return Error{Errc::io, what, reason + " (SQLSTATE " + state + ")", ""};
  }
  return Error{Errc::unavailable, what, reason, "try again"};
}

Error pooled_transactions() {
  return Error{Errc::unsupported, "database", "a pooler changes the session between transactions",
               kSessionMode};
}

/// A statement's parameters as libpq wants them; views of them.
struct Connection::Values {
  explicit Values(const Params& params) {
    for (const Params::Param& param : params.params_) {
      const std::string_view value = param.is_view ? param.view : std::string_view(param.owned);
      types.push_back(param.type);
      values.push_back(param.is_null ? nullptr : value.empty() ? "" : value.data());
      lengths.push_back(static_cast<int>(value.size()));
      formats.push_back(1);
    }
  }
  [[nodiscard]] int count() const noexcept { return static_cast<int>(types.size()); }

  std::vector<Oid> types;
  std::vector<const char*> values;
  std::vector<int> lengths, formats;
};

Result<std::string> Connection::prepare(const std::string& sql, const Params& params) {
  if (const auto known = prepared_.find(sql); known != prepared_.end()) return known->second;
  const Values values(params);
  // Named by its content: a session that a pooler has passed on never runs another statement with this name.
  const std::string_view types(reinterpret_cast<const char*>(values.types.data()),
                               values.types.size() * sizeof(Oid));
  std::string name = "akin_" + std::to_string(std::hash<std::string_view>()(sql)) + "_" +
                     std::to_string(std::hash<std::string_view>()(types));
  const Rows made =
      last_rows(PQsendPrepare(connection_, name.c_str(), sql.c_str(), values.count(), values.types.data()));
  if (PQresultStatus(made.raw()) != PGRES_COMMAND_OK) return failure(made.raw(), "preparing a statement");
  prepared_.emplace(sql, name);
  return name;
}

Result<Rows> Connection::run(const std::string& sql, const Params& params) {
  AKIN_TRY(const std::string name, prepare(sql, params));
  const Values values(params);
  Rows rows = last_rows(PQsendQueryPrepared(connection_, name.c_str(), values.count(), values.values.data(),
                                            values.lengths.data(), values.formats.data(), 1));
  if (!rows.is_success()) return failure(rows.raw(), "a statement");
  return rows;
}

Result<void> Connection::send(const std::string& name, const Params& params) {
  const Values values(params);
  const int sent = PQsendQueryPrepared(connection_, name.c_str(), values.count(), values.values.data(),
                                       values.lengths.data(), values.formats.data(), 1);
  return sent == 0 ? Result<void>(failure(nullptr, "a statement")) : Result<void>();
}

Result<void> Connection::stream(const Statement& statement,
                                const std::function<Result<void>(const Rows&)>& visit) {
  AKIN_TRY(const std::string name, prepare(statement.sql, statement.params));
  AKIN_CHECK(send(name, statement.params));
  if (PQsetSingleRowMode(connection_) == 0) return failure(nullptr, "a statement");
  std::optional<Error> error;
  for (;;) {
    const Rows rows = next_rows();
    if (rows.raw() == nullptr) {
      if (!is_sound() && !error) error = failure(nullptr, "a statement");
      break;
    }
    if (!rows.is_success()) {
      if (!error) error = failure(rows.raw(), "a statement");
    } else if (PQresultStatus(rows.raw()) == PGRES_SINGLE_TUPLE && !error) {
      if (Result<void> visited = visit(rows); visited.has_error()) {
        error = std::move(visited).error();
        cancel();
      }
    }
  }
  if (error) return *std::move(error);
  return {};
}

void Connection::cancel() noexcept {
  std::array<char, 256> reason{};
  const Waiting waiting;
  PGcancel* const request = PQgetCancel(connection_);
  // If cancelling fails, the statement runs to its end.
  if (request != nullptr) PQcancel(request, reason.data(), static_cast<int>(reason.size()));
  PQfreeCancel(request);
}

Result<void> Connection::forget_statements(std::size_t most) {
  if (prepared_.size() <= most) return {};
  AKIN_CHECK(command("DEALLOCATE ALL"));
  prepared_.clear();
  return {};
}

Result<Rows> Connection::run_once(const std::string& sql) {
  Rows rows =
      last_rows(PQsendQueryParams(connection_, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1));
  if (!rows.is_success()) return failure(rows.raw(), "a statement");
  return rows;
}

Result<void> Connection::command(const std::string& sql) {
  const Rows done = last_rows(PQsendQuery(connection_, sql.c_str()));
  if (!done.is_success()) return failure(done.raw(), "a command");
  return {};
}

}  // namespace akin::pg
