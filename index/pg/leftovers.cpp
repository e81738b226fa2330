#include "index/pg/leftovers.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "index/pg/entry.h"
#include "index/pg/merge.h"

namespace akin::pg {
namespace {

constexpr std::chrono::minutes kBetweenLooks{1};
constexpr std::chrono::hours kBetweenMerges{1};
/// The postings of a store that is rewritten within seconds.
constexpr std::int64_t kFewPostings = 20'000'000;
constexpr std::chrono::hours kPatience{24};

/// A store that is in use, by its counters.
struct Subject {
  StoreNumber store{};
  std::int64_t documents = 0, postings = 0;
};

Result<std::vector<Subject>> read_subjects(Connection& connection) {
  AKIN_TRY(const Rows rows, connection.run("SELECT store, documents, postings FROM akin.stores"
                                           " WHERE retired = 0 ORDER BY store"));
  std::vector<Subject> subjects;
  for (std::size_t row = 0; row < rows.size(); ++row)
    subjects.push_back({StoreNumber{rows.number(row, 0)}, rows.number(row, 1), rows.number(row, 2)});
  return subjects;
}

Result<bool> needs_merge(Connection& connection, const Subject& subject) {
  AKIN_TRY(const Rows left, connection.run(of_store("SELECT count(*) FILTER (WHERE pending = 0),"
                                                    " count(*) FILTER (WHERE pending <> 0 AND since < $1),"
                                                    " count(*) FILTER (WHERE pending <> 0 AND since < $2)"
                                                    " FROM akin.tombstones_@",
                                                    subject.store),
                                           Params()
                                               .number(microseconds(time_now() - kMostPending))
                                               .number(microseconds(time_now() - kPatience))));
  const std::int64_t removed = left.number(0, 0), abandoned = left.number(0, 1), old = left.number(0, 2);
  const auto share = subject.documents / static_cast<std::int64_t>(kDocumentsOfOneGone);
  if (removed + abandoned >= std::max(static_cast<std::int64_t>(kLeastGone), share)) return true;
  return abandoned > 0 && (subject.postings <= kFewPostings || abandoned > share || old > 0);
}

/// Merges a store; whether that has erased enough.
Result<bool> merge(Pool& pool, const Subject& subject) {
  AKIN_TRY(const Parts parts, [&]() -> Result<Parts> {
    AKIN_TRY(const Pool::Lease connection, pool.lease());
    return Parts::read(*connection, pool, subject.store);
  }());
  AKIN_CHECK(merge_store(pool, parts, subject.store, {.erase = true}));
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
  std::vector<Subject> wanted;
  {
    AKIN_TRY(const Pool::Lease connection, pool.lease());
    if (connection->is_standby()) return {};
    AKIN_TRY(wanted, read_subjects(*connection));
    std::erase_if(wanted, [&](const Subject& subject) {
      const auto known = next_.find(subject.store);
      if (known != next_.end() && now < known->second) return true;
      // One that was dropped in the meantime has no tombstones.
      const Result<bool> needs = needs_merge(*connection, subject);
      return needs.has_error() || !*needs;
    });
  }
  for (const Subject& subject : wanted) {
    next_.insert_or_assign(subject.store, now + kPatience);
    AKIN_TRY(const bool is_done, merge(pool, subject));
    if (is_done) next_.insert_or_assign(subject.store, now + kBetweenMerges);
  }
  return {};
}

}  // namespace akin::pg
