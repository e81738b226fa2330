#include <array>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "index/pg/client/connection.h"
#include "index/pg/client/sessions.h"
#include "index/pg/tables/format.h"
#include "index/pg/tables/schema.h"
#include "server/state/lease_key.h"
#include "server/state/state.h"

namespace akin::state {

namespace {

/// One lock for creating the table, another for writing to it.
const std::string kMakeTable =
    "BEGIN; SELECT " + pg::call_of("pg_advisory_xact_lock", pg::AdvisoryLock::state_table) +
    ";"
    "CREATE TABLE IF NOT EXISTS akin.state (tab bigint NOT NULL, key bytea NOT NULL, value bytea NOT NULL,"
    " PRIMARY KEY (tab, key));"
    "COMMENT ON TABLE akin.state IS 'akin: what servers keep in addition to the collections';"
    // The default privileges of akin store roles give readers every table made later; not this one.
    "DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'akin_reader') THEN"
    " REVOKE ALL ON akin.state FROM akin_reader; END IF; END $$; COMMIT";
/// One lock for all writers, as in LMDB: a body begins after those before it are committed, so it needs no
/// retry and none starves, as many would at SERIALIZABLE, where writers of one counter fail each other.
/// The time-outs prevent a server that hangs inside a transaction from blocking the others.
const std::string kBegin =
    "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'; SET LOCAL lock_timeout = '30s';"
    "SELECT " +
    pg::call_of("pg_advisory_xact_lock", pg::AdvisoryLock::state_writer);
constexpr const char* kGet = "SELECT value FROM akin.state WHERE tab = $1 AND key = $2";
constexpr const char* kPut =
    "INSERT INTO akin.state SELECT * FROM unnest($1, $2, $3)"
    " ON CONFLICT (tab, key) DO UPDATE SET value = EXCLUDED.value";
constexpr const char* kErase =
    "DELETE FROM akin.state s USING unnest($1, $2) AS gone (tab, key)"
    " WHERE s.tab = gone.tab AND s.key = gone.key";
constexpr const char* kListAll =
    "SELECT key, value FROM akin.state WHERE tab = $1 AND key > $2 AND key >= $3 ORDER BY key LIMIT $4";
constexpr const char* kListPrefix =
    "SELECT key, value FROM akin.state WHERE tab = $1 AND key > $2 AND key >= $3 AND key < $5"
    " ORDER BY key LIMIT $4";
constexpr const char* kListBack =
    "SELECT key, value FROM akin.state WHERE tab = $1 AND (key < $2 OR $2 = '') ORDER BY key DESC LIMIT $3";
constexpr const char* kEraseAll = "DELETE FROM akin.state WHERE tab = $1 AND key >= $2";
constexpr const char* kErasePrefix = "DELETE FROM akin.state WHERE tab = $1 AND key >= $2 AND key < $3";
/// With the keepalives PostgreSQL notices within half a minute that the holder's machine is gone.
constexpr const char* kTryLease =
    "SELECT pg_try_advisory_lock($1)::int::bigint, set_config('tcp_keepalives_idle', '10', false),"
    " set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)";
/// The number of connections that may turn out to be broken: after the first one the pool closes all idle
/// ones.
constexpr int kMostBroken = 1;

std::int64_t number_of(Table table) { return static_cast<std::int64_t>(table); }

/// The least string greater than all that begin with `prefix`; nothing if there is none.
std::optional<std::string> end_of(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
  if (end.empty()) return std::nullopt;
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

Result<std::optional<std::string>> value_of(const Result<pg::Rows>& rows) {
  if (rows.has_error()) return rows.error();
  return rows->size() == 0 ? std::nullopt : std::optional(std::string(rows->bytes(0, 0)));
}

std::vector<Entry> entries_of(const pg::Rows& rows) {
  std::vector<Entry> entries;
  entries.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    entries.push_back({std::string(rows.bytes(row, 0)), std::string(rows.bytes(row, 1))});
  return entries;
}

/// Collects changes until they can be sent all at once.
class PgWriter final : public Writer {
 public:
  explicit PgWriter(pg::Connection& connection) noexcept : connection_(connection) {}

  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    const auto changed = changes_.find({number_of(table), std::string(key)});
    if (changed != changes_.end()) return changed->second;
    return value_of(connection_.run(kGet, pg::Params().number(number_of(table)).bytes(key)));
  }

  Result<bool> has_any(Table table, std::string_view prefix) const override {
    std::size_t erased = 0;
    const std::pair<std::int64_t, std::string> from(number_of(table), prefix);
    for (auto at = changes_.lower_bound(from); at != changes_.end(); ++at) {
      if (at->first.first != from.first || !at->first.second.starts_with(prefix)) break;
      if (at->second) return true;
      ++erased;
    }
    pg::Params params;
    params.number(from.first).bytes("").bytes(prefix).number(static_cast<std::int64_t>(erased + 1));
    const std::optional<std::string> end = end_of(prefix);
    if (end) params.bytes(*end);
    AKIN_TRY(const pg::Rows rows, connection_.run(end ? kListPrefix : kListAll, params));
    for (const Entry& entry : entries_of(rows)) {
      if (!changes_.contains({from.first, entry.key})) return true;
    }
    return false;
  }

  Result<void> put(Table table, std::string_view key, std::string_view value) override {
    AKIN_CHECK(check_key(key));
    changes_.insert_or_assign({number_of(table), std::string(key)}, std::string(value));
    return {};
  }

  Result<bool> erase(Table table, std::string_view key) override {
    AKIN_TRY(const auto there, get(table, key));
    if (there) changes_.insert_or_assign({number_of(table), std::string(key)}, std::nullopt);
    return there.has_value();
  }

  Result<void> send() {
    Columns put, erased;
    for (const auto& [place, value] : changes_) {
      Columns& columns = value ? put : erased;
      columns.tables.push_back(place.first);
      columns.keys.emplace_back(place.second);
      if (value) columns.values.emplace_back(*value);
    }
    if (!put.keys.empty()) {
      AKIN_CHECK(connection_.run(
          kPut, pg::Params().numbers(put.tables).byte_strings(put.keys).byte_strings(put.values)));
    }
    if (!erased.keys.empty())
      AKIN_CHECK(connection_.run(kErase, pg::Params().numbers(erased.tables).byte_strings(erased.keys)));
    return {};
  }

 private:
  struct Columns {
    std::vector<std::int64_t> tables;
    std::vector<std::string_view> keys, values;
  };

  pg::Connection& connection_;
  std::map<std::pair<std::int64_t, std::string>, std::optional<std::string>> changes_;
};

/// A session lock (pg_advisory_lock), which ends with its connection.
class PgLease final : public Lease {
 public:
  PgLease(pg::Pool::Loan connection, std::int64_t key) noexcept
      : connection_(std::move(connection)), key_(key) {}
  ~PgLease() override {
    if (connection_->run("SELECT pg_advisory_unlock($1)", pg::Params().number(key_)).has_value()) return;
    // The connection must not return to the pool with the lock. If it is broken, the lock is gone already.
    static_cast<void>(connection_->command("SELECT pg_terminate_backend(pg_backend_pid())"));
  }
  PgLease(const PgLease&) = delete;
  PgLease& operator=(const PgLease&) = delete;

  Result<void> check() override {
    const auto alive = connection_->run("SELECT 1::bigint");
    if (alive.has_value()) return {};
    return Error{Errc::busy, alive.error().what, alive.error().reason, "try again"};
  }

 private:
  const pg::Pool::Loan connection_;
  const std::int64_t key_;
};

class PgState final : public State {
 public:
  explicit PgState(std::shared_ptr<pg::Pool> pool) noexcept : pool_(std::move(pool)) {}

  bool is_shared() const noexcept override { return true; }

  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    return value_of(read(kGet, pg::Params().number(number_of(table)).bytes(key)));
  }

  Result<std::vector<Entry>> list(Table table, std::string_view prefix, std::string_view after,
                                  std::size_t limit) const override {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    pg::Params params;
    params.number(number_of(table))
        .bytes(after)
        .bytes(prefix)
        .number(static_cast<std::int64_t>(std::min<std::uint64_t>(limit, kMost)));
    const std::optional<std::string> end = end_of(prefix);
    if (end) params.bytes(*end);
    AKIN_TRY(const pg::Rows rows, read(end ? kListPrefix : kListAll, params));
    return entries_of(rows);
  }

  Result<std::vector<Entry>> list_back(Table table, std::string_view before,
                                       std::size_t limit) const override {
    pg::Params params;
    params.number(number_of(table)).bytes(before).number(static_cast<std::int64_t>(limit));
    AKIN_TRY(const pg::Rows rows, read(kListBack, params));
    return entries_of(rows);
  }

  Result<std::uint64_t> count(Table table) const override {
    AKIN_TRY(const pg::Rows rows,
             read("SELECT count(*) FROM akin.state WHERE tab = $1", pg::Params().number(number_of(table))));
    return static_cast<std::uint64_t>(rows.number(0, 0));
  }

  Result<void> copy(const std::function<Result<void>(std::string_view)>&) const override {
    return Error{Errc::unsupported, "backup", "the server's state is in PostgreSQL, whose own tools copy it",
                 "use pg_dump -n akin"};
  }

  Result<void> write(const std::function<Result<void>(Writer&)>& body) override {
    AKIN_TRY(const pg::Pool::Loan connection, begin());
    PgWriter writer(*connection);
    AKIN_CHECK(body(writer));
    AKIN_CHECK(writer.send());
    return pg::commit(*connection);
  }

  Result<void> erase_all(Table table, std::string_view prefix) override {
    pg::Params params;
    params.number(number_of(table)).bytes(prefix);
    const std::optional<std::string> end = end_of(prefix);
    if (end) params.bytes(*end);
    AKIN_TRY(const pg::Pool::Loan connection, begin());
    AKIN_CHECK(connection->run(end ? kErasePrefix : kEraseAll, params));
    return pg::commit(*connection);
  }

  Result<std::unique_ptr<Lease>> try_lease(std::string_view name) override {
    const auto key = std::bit_cast<std::int64_t>(lease_key(name));
    for (int broken = 0;; ++broken) {
      AKIN_TRY(pg::Pool::Loan connection, pool_->borrow());
      const auto taken = connection->run(kTryLease, pg::Params().number(key));
      if (taken.has_error() && !connection->is_sound() && broken < kMostBroken) continue;
      if (taken.has_error()) return taken.error();
      if (taken->number(0, 0) == 0) return std::unique_ptr<Lease>();
      return std::unique_ptr<Lease>(std::make_unique<PgLease>(std::move(connection), key));
    }
  }

  Result<std::unique_ptr<Lease>> lease(std::string_view name, std::chrono::milliseconds patience,
                                       std::string_view holder) override {
    AKIN_TRY(auto taken, try_lease(name));
    if (taken != nullptr) return taken;
    const auto key = std::bit_cast<std::int64_t>(lease_key(name));
    AKIN_TRY(pg::Pool::Loan connection, pool_->borrow());
    AKIN_CHECK(connection->command("SET lock_timeout = " + std::to_string(patience.count())));
    const auto waited = connection->run("SELECT pg_advisory_lock($1)", pg::Params().number(key));
    const auto reset = connection->command("RESET lock_timeout");
    if (waited.has_error() && waited.error().code == Errc::busy) return held_by_another(holder);
    if (waited.has_error()) return waited.error();
    auto held = std::make_unique<PgLease>(std::move(connection), key);
    AKIN_CHECK(reset);
    return std::unique_ptr<Lease>(std::move(held));
  }

 private:
  /// Runs a statement that changes nothing, and retries it when the connection turns out to be broken.
  [[nodiscard]] Result<pg::Rows> read(const std::string& sql, const pg::Params& params) const {
    for (int broken = 0;; ++broken) {
      AKIN_TRY(const pg::Pool::Loan connection, pool_->borrow());
      auto rows = connection->run(sql, params);
      if (rows.has_value() || connection->is_sound() || broken == kMostBroken) return rows;
    }
  }

  /// Begins a transaction during which no other one writes.
  [[nodiscard]] Result<pg::Pool::Loan> begin() const {
    for (int broken = 0;; ++broken) {
      AKIN_TRY(pg::Pool::Loan connection, pool_->borrow());
      const auto begun = connection->command(kBegin);
      if (begun.has_value()) return connection;
      if (connection->is_sound() || broken == kMostBroken) return begun.error();
    }
  }

  const std::shared_ptr<pg::Pool> pool_;
};

Result<void> make_table(pg::Connection& connection) {
  AKIN_CHECK(pg::has_schema(connection));
  // A role that may not create tables can work with existing ones.
  AKIN_TRY(const pg::Rows there,
           connection.run("SELECT (to_regclass('akin.state') IS NOT NULL)::int::bigint"));
  if (there.number(0, 0) != 0) return {};
  if (connection.is_standby()) {
    return Error{Errc::not_found, "akin.state", "the database has none yet, and a standby cannot make it",
                 "run akin key list once with the primary's address"};
  }
  AKIN_CHECK(pg::make_schema(connection));
  return connection.command(kMakeTable);
}

}  // namespace

Result<std::shared_ptr<State>> State::open_database(const std::string& conninfo) {
  auto pool = std::make_shared<pg::Pool>(conninfo);
  {
    AKIN_TRY(const pg::Pool::Loan connection, pool->borrow());
    AKIN_CHECK(pg::require_own_sessions(*connection, conninfo));
    AKIN_CHECK(make_table(*connection));
  }
  return std::shared_ptr<State>(std::make_shared<PgState>(std::move(pool)));
}

}  // namespace akin::state
