#include "index/pg/leftovers.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "index/pg/merge.h"

namespace akin::pg {
namespace {

constexpr std::chrono::minutes kBetweenLooks{1};
constexpr std::chrono::hours kBetweenMerges{1};
constexpr std::chrono::hours kPatience{24};

/// A store that is in use.
struct UsedStore {
  StoreNumber store{};
  std::int64_t documents = 0;
};

Result<std::vector<UsedStore>> read_subjects(Connection& connection) {
  AKIN_TRY(const Rows rows, connection.run("SELECT store, documents FROM akin.stores"
                                           " WHERE retired = 0 ORDER BY store"));
  std::vector<UsedStore> subjects;
  for (std::size_t row = 0; row < rows.size(); ++row)
    subjects.push_back({StoreNumber{rows.number(row, 0)}, rows.number(row, 1)});
  return subjects;
}

Result<bool> needs_merge(Connection& connection, const UsedStore& subject) {
  AKIN_TRY(const Rows left,
           connection.run(of_store("SELECT count(*) FROM akin.tombstones_@", subject.store)));
  return left.number(0, 0) >= std::max(static_cast<std::int64_t>(kLeastGone),
                                       subject.documents / static_cast<std::int64_t>(kDocumentsOfOneGone));
}

/// Merges a store; whether that has erased enough.
Result<bool> merge(Pool& pool, const UsedStore& subject) {
  AKIN_CHECK(merge_store(pool, subject.store, {.erase = true}));
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_TRY(const bool needs, needs_merge(*connection, subject));
  return !needs;
}

}  // namespace

Result<void> Leftovers::erase(Pool& pool) {
  const std::lock_guard guard(mutex_);
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return {};
  next_look_ = now + kBetweenLooks;
  std::vector<UsedStore> wanted;
  {
    AKIN_TRY(const Pool::Lease connection, pool.lease());
    if (connection->is_standby()) return {};
    AKIN_TRY(wanted, read_subjects(*connection));
    std::erase_if(wanted, [&](const UsedStore& subject) {
      const auto known = next_.find(subject.store);
      if (known != next_.end() && now < known->second) return true;
      // One that was dropped in the meantime has no tombstones.
      const Result<bool> needs = needs_merge(*connection, subject);
      return needs.has_error() || !*needs;
    });
  }
  for (const UsedStore& subject : wanted) {
    next_.insert_or_assign(subject.store, now + kPatience);
    AKIN_TRY(const bool is_done, merge(pool, subject));
    if (is_done) next_.insert_or_assign(subject.store, now + kBetweenMerges);
  }
  return {};
}

}  // namespace akin::pg
