#include "server/watch/duty.h"

#include <utility>

namespace akin::watch {

bool Duty::keep() {
  if (lease_ != nullptr && lease_->check().has_value()) return true;
  turn_ = 0;
  lease_.reset();
  auto lease = journal_->try_duty();
  if (lease.has_error() || *lease == nullptr) return false;
  const auto turn = journal_->begin_turn();
  if (turn.has_error()) return false;
  lease_ = *std::move(lease);
  turn_ = *turn;
  return true;
}

}  // namespace akin::watch
