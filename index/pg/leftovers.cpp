#include "index/pg/leftovers.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/background_failures.h"
#include "base/time.h"
#include "index/pg/merge.h"
#include "index/pg/tables/dictionaries.h"
#include "index/pg/tables/entry.h"
#include "index/pg/tables/format.h"
#include "index/pg/tables/schema.h"

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
  AKIN_TRY(const Pool::Loan connection, pool.borrow());
  AKIN_TRY(const bool needs, needs_merge(*connection, subject));
  return !needs;
}

/// How long a replaced generation is kept.
constexpr std::int64_t kRetirement = std::int64_t{10} * 60 * 1'000'000;

/// All unused stores, or the given one if it is unused.
Result<Rows> find_unused(Connection& connection, std::optional<StoreNumber> one) {
  return connection.run(
      "SELECT store FROM akin.stores s WHERE (store = $2 OR $2 = 0)"
      " AND ((retired <> 0 AND retired <= $1) OR (retired = 0"
      " AND NOT EXISTS (SELECT FROM akin.collections c WHERE c.store = s.store)"
      " AND NOT EXISTS (SELECT FROM akin.copies k WHERE k.store = s.store)))",
      Params()
          .number(microseconds(time_now()) - kRetirement)
          .number(one ? static_cast<std::int64_t>(*one) : 0));
}

}  // namespace

Result<void> Leftovers::erase(Pool& pool) {
  const std::lock_guard guard(mutex_);
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return {};
  next_look_ = now + kBetweenLooks;
  std::vector<UsedStore> wanted;
  {
    AKIN_TRY(const Pool::Loan connection, pool.borrow());
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

Result<bool> lock_store(Connection& connection, StoreNumber store, const std::string& function) {
  AKIN_TRY(
      const Rows rows,
      connection.run("SELECT " + call_of(function, AdvisoryLock::unfinished, "$1::int") + "::int::bigint",
                     Params().number(static_cast<std::int64_t>(store))));
  return rows.number(0, 0) != 0;
}

Result<void> drop_unused_stores(Pool& pool) {
  AKIN_TRY(const Pool::Loan connection, pool.borrow());
  AKIN_TRY(const Rows rows, find_unused(*connection, std::nullopt));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const StoreNumber store{rows.number(row, 0)};
    AKIN_TRY(const bool alone, lock_store(*connection, store, "pg_try_advisory_lock"));
    if (!alone) continue;
    // It may just have been finished.
    const Result<Rows> still = find_unused(*connection, store);
    Result<void> dropped = !still.has_error() && still->size() > 0 ? drop_store(pool, store) : Result<void>();
    AKIN_CHECK(lock_store(*connection, store, "pg_advisory_unlock"));
    AKIN_CHECK(dropped);
  }
  // One that a store is being made with stays: a later call finds out whether it is used.
  note_failure_of(Round::drop_unused_dictionaries, drop_unused_dictionaries(*connection));
  return {};
}

}  // namespace akin::pg
