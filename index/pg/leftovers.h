// What removed documents have left in the stores of a database.
#pragma once

#include <chrono>
#include <map>
#include <mutex>

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

}  // namespace akin::pg
