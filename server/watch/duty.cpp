#include "server/watch/duty.h"

#include <utility>

namespace akin::watch {

bool Duty::keep() {
  if (hold_ != nullptr && hold_->check().has_value()) return true;
  turn_ = 0;
  hold_.reset();
  auto hold = journal_->try_duty();
  if (hold.has_error() || *hold == nullptr) return false;
  const auto turn = journal_->begin_turn();
  if (turn.has_error()) return false;
  hold_ = *std::move(hold);
  turn_ = *turn;
  return true;
}

}  // namespace akin::watch
