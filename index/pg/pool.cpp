#include "index/pg/pool.h"

#include <algorithm>
#include <utility>

#include "base/exceptions.h"

namespace akin::pg {
namespace {

constexpr std::size_t kMaxIdle = 64;
/// A connection that was idle for longer is tested before it is used.
constexpr auto kTrusted = std::chrono::seconds(1);

/// After a failed attempt to connect.
constexpr auto kLongestPause = std::chrono::seconds(5);

bool answers(Connection& connection, std::chrono::steady_clock::duration idle) {
  return connection.is_quiet() && (idle < kTrusted || !connection.command("SELECT").has_error());
}

}  // namespace

Pool::Lease::~Lease() {
  if (connection_ != nullptr) pool_->take_back(std::move(connection_));
}

Result<Pool::Lease> Pool::lease() {
  for (;;) {
    auto [connection, since] = take_idle();
    if (connection == nullptr) break;
    if (answers(*connection, std::chrono::steady_clock::now() - since))
      return Lease(shared_from_this(), std::move(connection));
    close_idle();
  }
  AKIN_TRY(std::unique_ptr<Connection> connection, connect());
  return Lease(shared_from_this(), std::move(connection));
}

Result<std::unique_ptr<Connection>> Pool::connect() {
  const auto start = std::chrono::steady_clock::now();
  {
    const std::lock_guard guard(mutex_);
    if (down_ && (is_attempting_ || start < next_attempt_)) return *down_;
    is_attempting_ = down_.has_value();
  }
  // An exception must not leave the attempt under way for ever.
  auto connection = without_exceptions([this] { return Connection::open(conninfo_); });
  const auto end = std::chrono::steady_clock::now();
  const std::lock_guard guard(mutex_);
  is_attempting_ = false;
  down_.reset();
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
  if (!connection->is_sound()) return close_idle();
  if (!ended) return;
  const std::lock_guard guard(mutex_);
  if (idle_.size() < kMaxIdle) idle_.push_back({std::move(connection), std::chrono::steady_clock::now()});
}

std::shared_ptr<Pool> Pool::peer(const std::string& conninfo) {
  const std::lock_guard guard(mutex_);
  std::shared_ptr<Pool>& pool = peers_[conninfo];
  if (pool == nullptr) pool = std::make_shared<Pool>(conninfo);
  return pool;
}

}  // namespace akin::pg
