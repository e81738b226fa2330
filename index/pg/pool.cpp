#include "index/pg/pool.h"

#include <utility>

namespace akin::pg {
namespace {

constexpr std::size_t kMaxIdle = 64;

}  // namespace

Pool::Lease::~Lease() {
  if (connection_ != nullptr) pool_->take_back(std::move(connection_));
}

Result<Pool::Lease> Pool::lease() {
  {
    const std::lock_guard guard(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      return Lease(shared_from_this(), std::move(connection));
    }
  }
  AKIN_TRY(std::unique_ptr<Connection> connection, Connection::open(conninfo_));
  return Lease(shared_from_this(), std::move(connection));
}

void Pool::take_back(std::unique_ptr<Connection> connection) {
  if (connection->in_transaction() && connection->command("ROLLBACK").has_error()) return;
  if (!connection->is_sound()) return;
  const std::lock_guard guard(mutex_);
  if (idle_.size() < kMaxIdle) idle_.push_back(std::move(connection));
}

std::shared_ptr<Pool> Pool::peer(const std::string& conninfo) {
  const std::lock_guard guard(mutex_);
  std::shared_ptr<Pool>& pool = peers_[conninfo];
  if (pool == nullptr) pool = std::make_shared<Pool>(conninfo);
  return pool;
}

}  // namespace akin::pg
