// What a database no longer needs: what removed documents have left in its stores, and stores without a
// collection.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "index/pg/client/connection.h"
#include "index/pg/client/pool.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// Erases leftovers for a server; thread-safe. A call looks once a minute at most, and after a merge of a
/// store leaves it alone for an hour, or, if that has erased too little, for a day: what a snapshot may still
/// need is not erased, and each attempt rewrites all packed postings.
class Leftovers {
 public:
  /// Merges the stores in which as much was removed as a server that writes would erase itself.
  [[nodiscard]] Result<void> erase(Pool& pool);

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  Clock::time_point next_look_;                    ///< guarded by mutex_
  std::map<StoreNumber, Clock::time_point> next_;  ///< merges; guarded by mutex_
};

/// Drops stores that were replaced ten minutes ago or earlier, and those whose creation was interrupted.
[[nodiscard]] Result<void> drop_unused_stores(Pool& pool);

/// Calls a function on the advisory lock of a store that is being made, for example "pg_try_advisory_lock";
/// returns whether it succeeded. While a session holds it, no other takes the store for one whose creation
/// was interrupted.
[[nodiscard]] Result<bool> lock_store(Connection& connection, StoreNumber store, const std::string& function);

}  // namespace akin::pg
