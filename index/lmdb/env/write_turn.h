// The turn to write to an environment, of all threads and processes. LMDB's own lock can only be waited for
// without end: a process that is stopped while it writes would keep the others waiting as long.
#pragma once

#include <mutex>

#include "index/lmdb/env/transaction_state.h"

namespace akin::lmdb {

/// Taken before a write transaction begins, and held until it has ended. Processes that want it take turns.
class WriteTurn {
 public:
  /// Waits for at most Options::write_patience, and not at all for another process within a sixth of that
  /// after a thread has waited for it in vain. Error: busy.
  [[nodiscard]] static Result<WriteTurn> take(EnvState& env);
  WriteTurn(WriteTurn&& other) noexcept = default;
  WriteTurn& operator=(WriteTurn&&) = delete;
  ~WriteTurn();

 private:
  WriteTurn(EnvState& env, std::unique_lock<std::mutex> threads) noexcept
      : env_(&env), threads_(std::move(threads)) {}
  EnvState* env_;
  std::unique_lock<std::mutex> threads_;  ///< not held: this was moved from
};

}  // namespace akin::lmdb
