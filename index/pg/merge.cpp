#include "index/pg/merge.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/exceptions.h"
#include "base/parallel.h"
#include "base/time.h"
#include "index/pg/compaction.h"
#include "index/pg/content.h"
#include "index/pg/entry.h"
#include "index/pg/format.h"
#include "index/pg/schema.h"

namespace akin::pg {
namespace {

/// The number of tombstoned documents erased together.
constexpr std::int64_t kMostErased = 1'000'000;
/// The number of documents whose texts and sequences are erased in a transaction.
constexpr std::size_t kErasedAtOnce = 10'000;
/// How long to wait before looking again whether another merge has ended.
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
    AKIN_TRY(const bool alone, take_lock(*lock));
    if (!alone) return {};
    // The session would keep the lock in the pool, and everybody would wait for it.
    Result<void> outcome = without_exceptions([this] { return run_locked(); });
    AKIN_CHECK(call_lock(*lock, "pg_advisory_unlock"));
    return outcome;
  }

 private:
  /// False if another is at work. A merge with `tidy` waits for it: its caller wants the store merged.
  Result<bool> take_lock(Connection& connection) const {
    for (;;) {
      AKIN_TRY(const bool alone, call_lock(connection, "pg_try_advisory_lock"));
      if (alone || !options_.tidy || options_.stop.stop_requested()) return alone;
      std::this_thread::sleep_for(kWait);
    }
  }

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
    AKIN_CHECK(merge_parts(gone));
    // Those that are gone may still have postings.
    if (options_.stop.stop_requested()) return {};
    AKIN_CHECK(connection->run(of_store("DELETE FROM akin.tombstones_@ WHERE doc = ANY($1)", store_),
                               Params().numbers(gone)));
    AKIN_CHECK(commit(*connection));
    return options_.tidy ? tidy() : Result<void>();
  }

  /// Plans the compaction of each server.
  Result<void> plan() {
    bool erases = false;
    if (options_.erase) {
      AKIN_TRY(const Pool::Lease connection, pool_.lease());
      // Documents removed later may have postings that this plan does not know.
      AKIN_TRY(const Rows now,
               connection->run("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"));
      before_ = now.number(0, 0);
      AKIN_TRY(const Rows gone, connection->run(of_store("SELECT FROM akin.tombstones_@ LIMIT 1", store_)));
      erases = gone.size() > 0;
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      AKIN_TRY(const Pool::Lease server, parts_.lease(part));
      AKIN_TRY(const PostingSizes sizes, read_posting_sizes(*server, store_));
      // Postings of tombstoned documents can be anywhere.
      plans_.push_back(plan_compaction(sizes, options_.everything || erases));
    }
    erases_ = erases;
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
            Params().number(microseconds(time_now() - kMostPending)).number(horizon).number(kMostErased)));
    numbers.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) numbers.push_back(rows.number(row, 0));
    return numbers;
  }

  /// Merges all parts at the same time.
  Result<void> merge_parts(const std::vector<std::int64_t>& gone) const {
    const DocumentSet dropped(gone);
    std::mutex mutex;
    std::optional<Error> error;
    run_threads(static_cast<unsigned>(parts_.size()), [&](unsigned part) {
      Result<void> merged = without_exceptions([&] { return merge_part(part, gone, dropped); });
      const std::lock_guard guard(mutex);
      if (merged.has_error() && !error) error = std::move(merged).error();
    });
    return error ? Result<void>(*std::move(error)) : Result<void>();
  }

  Result<void> merge_part(std::size_t part, std::span<const std::int64_t> gone,
                          const DocumentSet& dropped) const {
    AKIN_TRY(const Pool::Lease server, parts_.lease(part));
    const CompactionPlan& plan = plans_[part];
    if (plan.level != 0) {
      for (std::uint64_t slice = 0; slice < plan.slices; ++slice) {
        if (options_.stop.stop_requested()) return {};
        AKIN_CHECK(compact_slice(*server, store_, plan, slice, dropped));
      }
      AKIN_CHECK(sum_sizes(*server, store_));
    }
    for (std::size_t at = 0; at < gone.size() && !options_.stop.stop_requested(); at += kErasedAtOnce)
      AKIN_CHECK(erase_content(*server, store_, gone.subspan(at, std::min(kErasedAtOnce, gone.size() - at))));
    return {};
  }

  /// After everything was rewritten, half of the files is free space. VACUUM FULL returns it, unless a search
  /// is using the store: it would wait for that, and later searches for it. The server cancels its own
  /// cleaning of the tables after a second (deadlock_timeout).
  Result<void> tidy() const {
    {
      AKIN_TRY(const Pool::Lease connection, pool_.lease());
      AKIN_CHECK(
          connection->command(of_store("VACUUM (ANALYZE) akin.documents_@, akin.tombstones_@", store_)));
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      AKIN_TRY(const Pool::Lease server, parts_.lease(part));
      if (options_.everything) {
        AKIN_CHECK(server->command("SET lock_timeout = '5s'"));
        const Result<void> shrunk = server->command(of_store(
            "VACUUM (FULL) akin.packed_postings_@, akin.frequent_postings_@, akin.postings_@", store_));
        AKIN_CHECK(server->command("RESET lock_timeout"));
        if (shrunk.has_error() && shrunk.error().code != Errc::busy) return shrunk.error();
      }
      AKIN_CHECK(
          server->command(of_store("VACUUM (ANALYZE) akin.contents_@, akin.postings_@,"
                                   " akin.packed_postings_@, akin.frequent_postings_@,"
                                   " akin.posting_sizes_@",
                                   store_)));
    }
    return {};
  }

  Pool& pool_;
  const Parts& parts_;
  StoreNumber store_;
  const MergeOptions& options_;
  bool erases_ = false;
  std::int64_t before_ = 0;            ///< transactions from this on are ignored
  std::vector<CompactionPlan> plans_;  ///< of each part
};

}  // namespace

Result<void> merge_store(Pool& pool, const Parts& parts, StoreNumber store, const MergeOptions& options) {
  return StoreMerge(pool, parts, store, options).run();
}

}  // namespace akin::pg
