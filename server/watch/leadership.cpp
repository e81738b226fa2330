#include "server/watch/leadership.h"

#include <utility>

namespace akin::watch {

bool Leadership::keep() {
  if (lease_ != nullptr && lease_->check().has_value()) return true;
  term_ = 0;
  lease_.reset();
  auto lease = journal_->try_leadership();
  if (lease.has_error() || *lease == nullptr) return false;
  const auto term = journal_->begin_term();
  if (term.has_error()) return false;
  lease_ = *std::move(lease);
  term_ = *term;
  return true;
}

}  // namespace akin::watch
