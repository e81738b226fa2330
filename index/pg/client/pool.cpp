#include "index/pg/client/pool.h"

#include <algorithm>
#include <utility>

#include "base/exceptions.h"
#include "base/per_thread.h"
#include "base/waiting.h"

namespace akin::pg {
namespace {

/// Those of some collections; more take memory of the database server.
constexpr std::size_t kMostStatements = 256;
/// A connection that was idle for longer is tested before it is used.
constexpr auto kTrusted = std::chrono::seconds(1);
constexpr auto kTestPatience = std::chrono::seconds(5);

/// After a failed attempt to connect.
constexpr auto kLongestPause = std::chrono::seconds(5);
/// After a server refused a connection because it had no slot.
constexpr auto kPauseWhenFull = std::chrono::milliseconds(100);

bool answers(Connection& connection, std::chrono::steady_clock::duration idle) {
  return connection.is_quiet() && (idle < kTrusted || connection.answers_within(kTestPatience));
}

/// The loans that this thread took and that exist: they may end on another.
const std::shared_ptr<std::atomic<int>>& taken_here() {
  auto& taken = PerThread<std::shared_ptr<std::atomic<int>>>::get();
  if (taken == nullptr) taken = std::make_shared<std::atomic<int>>(0);
  return taken;
}

}  // namespace

Pool::Loan::Loan(std::shared_ptr<Pool> pool, std::unique_ptr<Connection> connection) noexcept
    : pool_(std::move(pool)), connection_(std::move(connection)), taker_(taken_here()) {
  ++*taker_;
}

Pool::Loan::~Loan() {
  if (connection_ == nullptr) return;
  --*taker_;
  pool_->take_back(std::move(connection_));
  pool_->give_place_back();
}

Result<Pool::Loan> Pool::borrow() {
  std::optional<Result<Loan>> loan;
  const Waited waited = wait_for(patience_, [&] {
    loan.emplace(try_borrow());
    return !loan->has_error() || loan->error().code != Errc::busy;
  });
  if (waited == Waited::stopped) return stopped_work();
  return std::move(*loan);
}

Result<Pool::Loan> Pool::try_borrow() {
  if (!take_place()) {
    return Error{Errc::busy, "database",
                 "all " + std::to_string(most_) + " connections of this server are in use", "try again"};
  }
  // An exception must not leave the place taken for ever.
  auto connection = without_exceptions([this] { return connected(); });
  if (connection.has_error()) {
    give_place_back();
    return connection.error();
  }
  return Loan(shared_from_this(), std::move(*connection));
}

bool Pool::take_place() {
  const bool has_one = *taken_here() != 0;
  const std::lock_guard guard(mutex_);
  // Who has one may need another before it gives any back.
  if (in_use_ >= most_ && !has_one) return false;
  ++in_use_;
  return true;
}

void Pool::give_place_back() {
  const std::lock_guard guard(mutex_);
  --in_use_;
}

Result<std::unique_ptr<Connection>> Pool::connected() {
  for (;;) {
    auto [connection, since] = take_idle();
    if (connection == nullptr) return connect();
    if (answers(*connection, std::chrono::steady_clock::now() - since)) return std::move(connection);
    close_idle();
  }
}

Result<std::unique_ptr<Connection>> Pool::connect() {
  const auto start = std::chrono::steady_clock::now();
  {
    const std::lock_guard guard(mutex_);
    if (full_ && start < full_until_) return *full_;
    if (down_ && (is_attempting_ || start < next_attempt_)) return *down_;
    is_attempting_ = down_.has_value();
  }
  // An exception must not leave the attempt under way for ever.
  auto connection = without_exceptions([this] { return Connection::open(conninfo_); });
  const auto end = std::chrono::steady_clock::now();
  const std::lock_guard guard(mutex_);
  is_attempting_ = false;
  down_.reset();
  full_.reset();
  if (connection.has_error() && connection.error().code == Errc::busy) {
    full_ = connection.error();
    full_until_ = end + kPauseWhenFull;
  }
  if (connection.has_error() && connection.error().code == Errc::unavailable) {
    down_ = connection.error();
    next_attempt_ = end + std::min<std::chrono::steady_clock::duration>(end - start, kLongestPause);
  }
  return connection;
}

Pool::Idle Pool::take_idle() {
  const std::lock_guard guard(mutex_);
  if (idle_.empty()) return {};
  Idle idle = std::move(idle_.back());
  idle_.pop_back();
  return idle;
}

void Pool::close_idle() {
  std::vector<Idle> closed;  // destroyed without holding the lock
  const std::lock_guard guard(mutex_);
  closed.swap(idle_);
}

void Pool::take_back(std::unique_ptr<Connection> connection) {
  const bool ended = !connection->in_transaction() || !connection->command("ROLLBACK").has_error();
  if (ended)
    static_cast<void>(connection->forget_statements(kMostStatements));  // if it fails, it is not sound
  if (!connection->is_sound()) return close_idle();
  if (!ended) return;
  const std::lock_guard guard(mutex_);
  if (idle_.size() < most_) idle_.push_back({std::move(connection), std::chrono::steady_clock::now()});
}

}  // namespace akin::pg
