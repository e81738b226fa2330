#include "index/pg/merge.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/time.h"
#include "index/pg/compaction.h"
#include "index/pg/content.h"
#include "index/pg/entry.h"
#include "index/pg/format.h"
#include "index/pg/frequent_features.h"
#include "index/pg/schema.h"
#include "index/pg/segments.h"

namespace akin::pg {
namespace {

/// The number of tombstoned documents erased together.
constexpr std::int64_t kMostErased = 1'000'000;
/// A write that takes longer than this finds its numbers erased, and fails.
constexpr std::int64_t kMostPending = std::int64_t{10} * 60 * 1'000'000;
/// How long to wait for snapshots that do not know a new level. If they remain, an old level is used instead.
constexpr int kMostWaits = 50;
constexpr std::chrono::milliseconds kWait{100};

/// No open transaction of this database sees it without the transactions with smaller numbers than this. A
/// snapshot on the coordinator may open its transaction on a shard much later than its own, and must still
/// find there what it can see. 0 if sessions of other roles are invisible. Correct only in the first
/// statement of a transaction: age() counts from the transaction's own number if it has one.
constexpr const char* kHorizon =
    "SELECT coalesce(CASE WHEN bool_or(backend_type = 'client backend' AND state IS NULL) THEN 0 ELSE"
    " least(pg_snapshot_xmin(pg_current_snapshot())::text::bigint,"
    "       pg_snapshot_xmax(pg_current_snapshot())::text::bigint - coalesce(max(age(backend_xmin)), 0)) END,"
    " pg_snapshot_xmin(pg_current_snapshot())::text::bigint)"
    " FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

Result<std::int64_t> read_horizon(Connection& connection) {
  AKIN_TRY(const Rows rows, connection.run(kHorizon));
  return rows.number(0, 0);
}

class StoreMerge {
 public:
  StoreMerge(Pool& pool, const Parts& parts, StoreNumber store, const MergeOptions& options)
      : pool_(pool), parts_(parts), store_(store), options_(options) {}

  Result<void> run() {
    AKIN_TRY(const Pool::Lease lock, pool_.lease());
    AKIN_TRY(const bool alone, call_lock(*lock, "pg_try_advisory_lock"));
    if (!alone) return {};
    Result<void> outcome = run_locked();
    AKIN_CHECK(call_lock(*lock, "pg_advisory_unlock"));
    return outcome;
  }

 private:
  Result<bool> call_lock(Connection& connection, const std::string& function) const {
    AKIN_TRY(const Rows rows,
             connection.run("SELECT " + call_of(function, AdvisoryLock::merging, "$1::int") + "::int::bigint",
                            Params().number(static_cast<std::int64_t>(store_))));
    return rows.number(0, 0) != 0;
  }

  Result<void> run_locked() {
    AKIN_CHECK(plan());
    AKIN_TRY(const Pool::Lease connection, pool_.lease());
    AKIN_TRY(const std::vector<std::int64_t> gone, take_gone(*connection));
    if (parts_.is_local()) {
      AKIN_CHECK(merge_part(*connection, compactions_[0], gone));
    } else {
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        AKIN_TRY(const Pool::Lease shard, parts_.lease(part));
        AKIN_CHECK(begin(*shard));
        AKIN_CHECK(merge_part(*shard, compactions_[part], gone));
        AKIN_CHECK(commit(*shard));
      }
    }
    AKIN_CHECK(connection->run(of_store("DELETE FROM akin.tombstones_@ WHERE doc = ANY($1)", store_),
                               Params().numbers(gone)));
    AKIN_CHECK(commit(*connection));
    return options_.tidy ? tidy() : Result<void>();
  }

  /// Plans the compaction of each server. Runs before the transaction that erases, so that no open
  /// transaction delays a new level.
  Result<void> plan() {
    if (options_.erase) {
      AKIN_TRY(const Pool::Lease connection, pool_.lease());
      // Documents removed later may have postings that this plan does not know.
      AKIN_TRY(const Rows now,
               connection->run("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"));
      before_ = now.number(0, 0);
      AKIN_TRY(const Rows gone, connection->run(of_store("SELECT FROM akin.tombstones_@ LIMIT 1", store_)));
      erases_ = gone.size() > 0;
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      AKIN_TRY(const Pool::Lease server, parts_.lease(part));
      AKIN_TRY(const PostingSizes sizes, read_posting_sizes(*server, store_));
      // Packed postings of tombstoned documents can be anywhere.
      CompactionPlan compaction =
          plan_compaction(sizes, options_.everything || (erases_ && !sizes.compact.empty()));
      compaction.frequent /= static_cast<std::int64_t>(parts_.size());
      if (compaction.level != 0) {
        AKIN_TRY(compaction.level, usable_level(*server, compaction.level));
      }
      compactions_.push_back(std::move(compaction));
    }
    return {};
  }

  /// Begins a transaction; the numbers to erase are locked until it ends.
  Result<std::vector<std::int64_t>> take_gone(Connection& connection) const {
    AKIN_CHECK(begin(connection));
    std::vector<std::int64_t> numbers;
    if (!erases_) return numbers;
    std::int64_t horizon = before_;
    if (!parts_.is_local()) {
      AKIN_TRY(const std::int64_t seen, read_horizon(connection));
      horizon = std::min(horizon, seen);
    }
    AKIN_TRY(
        const Rows rows,
        connection.run(
            of_store("SELECT doc FROM akin.tombstones_@ WHERE (pending = 0 OR since < $1)"
                     " AND xid::text::bigint < $2 ORDER BY doc LIMIT $3 FOR UPDATE SKIP LOCKED",
                     store_),
            Params().number(microseconds(time_now()) - kMostPending).number(horizon).number(kMostErased)));
    numbers.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) numbers.push_back(rows.number(row, 0));
    return numbers;
  }

  /// Runs in a transaction of the part's server.
  Result<void> merge_part(Connection& connection, const CompactionPlan& compaction,
                          std::span<const std::int64_t> gone) const {
    if (!gone.empty()) AKIN_CHECK(erase_content(connection, store_, gone));
    return compaction.level == 0 ? Result<void>() : compact_postings(connection, store_, compaction, gone);
  }

  /// The level, or the nearest that every search reads. Searches see the store's own database as of the
  /// moment at which they read the levels, and shards as of a later one.
  Result<int> usable_level(Connection& connection, int level) const {
    const std::string enter =
        of_store("INSERT INTO akin.levels_@ (level) VALUES ($1) ON CONFLICT DO NOTHING", store_);
    if (parts_.is_local()) {
      AKIN_CHECK(connection.run(enter, Params().number(level)));
      return level;
    }
    AKIN_TRY(const Pool::Lease coordinator, pool_.lease());
    AKIN_CHECK(coordinator->run(enter, Params().number(level)));
    int nearest = kFirstLevel;
    for (int wait = 0; wait < kMostWaits; ++wait) {
      AKIN_CHECK(begin(*coordinator));
      AKIN_TRY(const std::int64_t horizon, read_horizon(*coordinator));
      AKIN_TRY(const Rows rows,
               coordinator->run(of_store("SELECT level FROM akin.levels_@ WHERE xid::text::bigint < $1"
                                         " ORDER BY abs(level - $2) LIMIT 1",
                                         store_),
                                Params().number(horizon).number(level)));
      AKIN_CHECK(commit(*coordinator));
      if (rows.size() > 0) nearest = static_cast<int>(rows.number(0, 0));
      if (nearest == level) break;
      std::this_thread::sleep_for(kWait);
    }
    return nearest;
  }

  Result<void> tidy() const {
    AKIN_CHECK(write_frequent_features(pool_, parts_, store_));
    AKIN_TRY(const Pool::Lease connection, pool_.lease());
    AKIN_CHECK(connection->command(of_store(
        "VACUUM (ANALYZE) akin.documents_@, akin.tombstones_@, akin.frequent_features_@, akin.levels_@",
        store_)));
    const std::string content = of_store(
        "VACUUM (ANALYZE) akin.contents_@, akin.postings_@, akin.repeats_@, akin.packed_postings_@", store_);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      AKIN_TRY(const Pool::Lease server, parts_.lease(part));
      AKIN_CHECK(server->command(content));
    }
    return {};
  }

  Pool& pool_;
  const Parts& parts_;
  StoreNumber store_;
  const MergeOptions& options_;
  bool erases_ = false;
  std::int64_t before_ = 0;                  ///< transactions from this on are ignored
  std::vector<CompactionPlan> compactions_;  ///< of each part
};

}  // namespace

Result<void> merge_store(Pool& pool, const Parts& parts, StoreNumber store, const MergeOptions& options) {
  return StoreMerge(pool, parts, store, options).run();
}

}  // namespace akin::pg
