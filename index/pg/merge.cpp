#include "index/pg/merge.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/exceptions.h"
#include "index/pg/documents/content.h"
#include "index/pg/postings/compaction.h"
#include "index/pg/tables/format.h"
#include "index/pg/tables/schema.h"

namespace akin::pg {
namespace {

/// The number of tombstoned documents erased together.
constexpr std::int64_t kMostErased = 1'000'000;
/// The number of documents whose texts and sequences are erased in a transaction.
constexpr std::size_t kErasedAtOnce = 10'000;
/// About so often a merge lets the server reuse space: so small a part of what it rewrites is there twice.
constexpr std::size_t kMostCleanings = 8;
/// How long to wait before looking again whether another merge has ended.
constexpr std::chrono::milliseconds kWait{100};

class StoreMerge {
 public:
  StoreMerge(Pool& pool, StoreNumber store, const MergeOptions& options)
      : pool_(pool), store_(store), options_(options) {}

  Result<void> run() {
    AKIN_TRY(const Pool::Loan lock, pool_.borrow());
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
    AKIN_TRY(const Pool::Loan connection, pool_.borrow());
    AKIN_TRY(const std::vector<std::int64_t> gone, take_gone(*connection));
    AKIN_CHECK(merge(gone));
    // Those that are gone may still have postings.
    if (options_.stop.stop_requested()) return {};
    AKIN_CHECK(connection->run(of_store("DELETE FROM akin.tombstones_@ WHERE doc = ANY($1)", store_),
                               Params().numbers(gone)));
    AKIN_CHECK(commit(*connection));
    return options_.tidy ? tidy() : Result<void>();
  }

  Result<void> plan() {
    AKIN_TRY(const Pool::Loan connection, pool_.borrow());
    if (options_.erase) {
      // Documents removed later may have postings that this plan does not know.
      AKIN_TRY(const Rows now,
               connection->run("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"));
      before_ = now.number(0, 0);
      AKIN_TRY(const Rows gone, connection->run(of_store("SELECT FROM akin.tombstones_@ LIMIT 1", store_)));
      erases_ = gone.size() > 0;
    }
    AKIN_TRY(const PostingSizes sizes, read_posting_sizes(*connection, store_));
    // Postings of tombstoned documents can be anywhere.
    const Extent extent = options_.tidy ? Extent::settled : Extent::ripe;
    plan_ = plan_compaction(sizes, options_.everything || erases_ ? Extent::everything : extent);
    return {};
  }

  /// Begins a transaction; the numbers to erase are locked until it ends.
  Result<std::vector<std::int64_t>> take_gone(Connection& connection) const {
    AKIN_CHECK(begin(connection));
    std::vector<std::int64_t> numbers;
    if (!erases_) return numbers;
    AKIN_TRY(const Rows rows,
             connection.run(of_store("SELECT doc FROM akin.tombstones_@ WHERE xid::text::bigint < $1"
                                     " ORDER BY doc LIMIT $2 FOR UPDATE SKIP LOCKED",
                                     store_),
                            Params().number(before_).number(kMostErased)));
    numbers.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) numbers.push_back(rows.number(row, 0));
    return numbers;
  }

  Result<void> merge(std::span<const std::int64_t> gone) const {
    const DocumentSet dropped({gone.begin(), gone.end()});
    AKIN_TRY(const Pool::Loan connection, pool_.borrow());
    if (!plan_.slices.empty()) {
      const std::size_t together = std::max<std::size_t>(plan_.slices.size() / kMostCleanings, 1);
      for (std::size_t i = 0; i < plan_.slices.size(); ++i) {
        if (options_.stop.stop_requested()) return {};
        if (i % together == 0) AKIN_CHECK(reuse_space(*connection));
        AKIN_CHECK(compact_slice(*connection, store_, plan_, plan_.slices[i], dropped));
      }
      AKIN_CHECK(sum_sizes(*connection, store_));
    }
    for (std::size_t at = 0; at < gone.size() && !options_.stop.stop_requested(); at += kErasedAtOnce) {
      AKIN_CHECK(
          erase_content(*connection, store_, gone.subspan(at, std::min(kErasedAtOnce, gone.size() - at))));
    }
    return {};
  }

  /// Lets new rows take the place of those that earlier merges and slices have replaced.
  Result<void> reuse_space(Connection& connection) const {
    return connection.command(of_store(
        "VACUUM (TRUNCATE off) akin.postings_@, akin.packed_postings_@, akin.frequent_postings_@", store_));
  }

  /// After everything was rewritten, half of the files is free space. VACUUM FULL returns it, unless a search
  /// is using the store: it would wait for that, and later searches for it. The server cancels its own
  /// cleaning of the tables after a second (deadlock_timeout).
  Result<void> tidy() const {
    AKIN_TRY(const Pool::Loan connection, pool_.borrow());
    AKIN_CHECK(connection->command(of_store("VACUUM (ANALYZE) akin.documents_@, akin.tombstones_@", store_)));
    if (options_.everything) {
      AKIN_CHECK(connection->command("SET lock_timeout = '5s'"));
      const Result<void> shrunk = connection->command(of_store(
          "VACUUM (FULL) akin.packed_postings_@, akin.frequent_postings_@, akin.postings_@", store_));
      AKIN_CHECK(connection->command("RESET lock_timeout"));
      if (shrunk.has_error() && shrunk.error().code != Errc::busy) return shrunk.error();
    }
    return connection->command(
        of_store("VACUUM (ANALYZE) akin.contents_@, akin.postings_@,"
                 " akin.packed_postings_@, akin.frequent_postings_@,"
                 " akin.posting_sizes_@",
                 store_));
  }

  Pool& pool_;
  StoreNumber store_;
  const MergeOptions& options_;
  bool erases_ = false;
  std::int64_t before_ = 0;  ///< transactions from this on are ignored
  CompactionPlan plan_;
};

}  // namespace

Result<void> merge_store(Pool& pool, StoreNumber store, const MergeOptions& options) {
  return StoreMerge(pool, store, options).run();
}

}  // namespace akin::pg
