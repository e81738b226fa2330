#include "index/pg/inner_copy.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/exceptions.h"
#include "base/parallel.h"
#include "index/pg/compaction.h"
#include "index/pg/document_set.h"
#include "index/pg/posting_rows.h"

namespace akin::pg {
namespace {

/// Of a statement.
constexpr std::size_t kDocumentsAtOnce = 10'000;
/// Half of the numbers that a collection can give out.
constexpr std::int64_t kMostNumber = std::int64_t{1} << 31;

/// Connections that copy postings on a server. While one waits for the server, another packs; several servers
/// keep this process busy anyway.
constexpr unsigned kPackersOfOneServer = 2, kPackersOfShard = 1;

const std::string kBeginFixed = "BEGIN ISOLATION LEVEL REPEATABLE READ";

/// About what the sizes are with this many postings; what there is does not become 0.
PostingSizes reduced_to(std::uint64_t postings, PostingSizes sizes) {
  std::uint64_t all = sizes.rows;
  for (const auto& [level, size] : sizes.levels) all += static_cast<std::uint64_t>(size.postings);
  if (all <= postings) return sizes;
  const double share = static_cast<double>(postings) / static_cast<double>(all);
  const auto reduce = [share](auto& number) {
    if (number <= 0) return;
    const auto less =
        static_cast<std::remove_reference_t<decltype(number)>>(static_cast<double>(number) * share);
    number = std::max<std::remove_reference_t<decltype(number)>>(less, 1);
  };
  reduce(sizes.rows);
  for (auto& [level, size] : sizes.levels) {
    reduce(size.postings);
    reduce(size.rows);
  }
  return sizes;
}

class InnerCopy {
 public:
  InnerCopy(Pool& pool, const Parts& parts, const StoreCopy& stores, Transfer& transfer)
      : pool_(pool), parts_(parts), stores_(stores), transfer_(transfer) {}

  Result<Revision> run() {
    AKIN_TRY(const Pool::Lease own, pool_.lease());
    // Until this ends, no shard erases what it sees.
    AKIN_CHECK(own->command(kBeginFixed));
    AKIN_TRY(counters_, read_counters(*own, stores_.from, false));
    transfer_.expect(static_cast<std::uint64_t>(counters_.documents),
                     static_cast<std::uint64_t>(counters_.text_bytes));
    transfer_.begin_phase("copying");
    AKIN_CHECK(read_directory(*own));
    AKIN_CHECK(copy_directory(*own));
    AKIN_CHECK(parts_.is_local() ? copy_part(0, *own) : copy_parts());
    if (copied_ != documents_.size()) {
      return Error{
          Errc::corrupt, "store " + std::to_string(static_cast<std::int64_t>(stores_.from)),
          std::to_string(documents_.size() - copied_) + " of its documents have neither text nor sequence",
          "akin verify names them; delete them or put them again, then repeat"};
    }
    AKIN_CHECK(commit(*own));
    return counters_.last_revision;
  }

 private:
  Result<void> read_directory(Connection& own) {
    CursorRows rows({&own, "", ""}, of_store("SELECT doc FROM akin.documents_@ ORDER BY doc", stores_.from),
                    20'000);
    for (;;) {
      AKIN_TRY(const bool there, rows.next());
      if (!there) return {};
      last_ = rows.page().number(rows.row(), 0);
      documents_.add(last_);
    }
  }

  /// With what its documents add up to, and the numbers that they have.
  Result<void> copy_directory(Connection& own) {
    const std::string columns = "doc, id, revision, postings, stored_bytes, record";
    AKIN_CHECK(copy_rows(own, "documents_@", counters_.files ? columns + ", file_stored_bytes" : columns,
                         [](std::uint64_t) {}));
    const Statement counters = update_counters(stores_.to, counters_);
    AKIN_CHECK(own.run(counters.sql, counters.params));
    if (documents_.size() == 0) return {};
    AKIN_CHECK(
        own.run(of_store("SELECT setval('akin.next_document_@', $1)", stores_.to), Params().number(last_)));
    return {};
  }

  /// The rows of a table that belong to the documents. Calls copied(rows) after each statement.
  template <class Copied>
  Result<void> copy_rows(Connection& connection, const std::string& table, const std::string& columns,
                         const Copied& copied) {
    const std::string sql =
        of_store("INSERT INTO akin." + table + " (" + columns + ")", stores_.to) +
        of_store(" SELECT " + columns + " FROM akin." + table + " WHERE doc = ANY($1)", stores_.from);
    return documents_.for_each_some(
        kDocumentsAtOnce, [&](const std::vector<std::int64_t>& numbers) -> Result<void> {
          AKIN_CHECK(check_stop());
          AKIN_TRY(const Rows rows, connection.run(sql, Params().numbers(numbers)));
          copied(rows.changed());
          return {};
        });
  }

  /// Calls work(0) … work(threads - 1) at the same time. The first error is returned, and ends the others.
  Result<void> run_together(unsigned threads, const std::function<Result<void>(unsigned)>& work) {
    run_threads(threads, [&](unsigned thread) {
      Result<void> done = without_exceptions([&] { return work(thread); });
      const std::lock_guard guard(mutex_);
      if (done.has_error() && !error_) error_ = std::move(done).error();
    });
    const std::lock_guard guard(mutex_);
    return error_ ? Result<void>(*error_) : Result<void>();
  }

  /// The error of another thread, or a stop.
  Result<void> check_stop() {
    const std::lock_guard guard(mutex_);
    return error_ ? Result<void>(*error_) : transfer_.check_stop();
  }

  /// Copies the content on all shards.
  Result<void> copy_parts() {
    return run_together(static_cast<unsigned>(parts_.size()), [&](unsigned part) -> Result<void> {
      AKIN_TRY(const Pool::Lease shard, parts_.lease(part));
      AKIN_CHECK(shard->command(kBeginFixed));
      AKIN_CHECK(copy_part(part, *shard));
      return commit(*shard);
    });
  }

  /// Texts and sequences are copied by a connection with an open transaction, postings meanwhile by others,
  /// which see and commit the same on their own.
  Result<void> copy_part(std::size_t part, Connection& connection) {
    AKIN_TRY(const PostingSizes sizes, read_posting_sizes(connection, stores_.from));
    const std::uint64_t expected = static_cast<std::uint64_t>(counters_.postings) / parts_.size();
    AKIN_TRY(const Rows snapshot, connection.run("SELECT pg_export_snapshot()"));
    PostingsCopy postings{.part = part,
                          .plan = plan_compaction(reduced_to(expected, sizes), true),
                          .snapshot = std::string(snapshot.bytes(0, 0))};
    const unsigned packers = parts_.is_local() ? kPackersOfOneServer : kPackersOfShard;
    AKIN_CHECK(run_together(1 + packers, [&](unsigned thread) {
      return thread == 0 ? copy_contents(connection) : copy_postings(postings);
    }));
    AKIN_TRY(const Pool::Lease server, parts_.lease(part));
    return sum_sizes(*server, stores_.to);
  }

  Result<void> copy_contents(Connection& connection) {
    return copy_rows(connection, "contents_@", names_of(stores_.columns),
                     [this](std::uint64_t documents) { advance(documents); });
  }

  /// The postings of a part, in slices that several connections take one after the other.
  struct PostingsCopy {
    std::size_t part = 0;
    CompactionPlan plan;
    std::string snapshot;  ///< that all use
    std::atomic<std::uint64_t> next_slice = 0;
  };

  Result<void> copy_postings(PostingsCopy& copy) {
    if (copy.plan.level == 0) return {};
    AKIN_TRY(const Pool::Lease server, parts_.lease(copy.part));
    AKIN_CHECK(server->command(kBeginFixed + "; SET TRANSACTION SNAPSHOT '" + copy.snapshot + "'"));
    for (std::uint64_t slice = copy.next_slice++; slice < copy.plan.slices; slice = copy.next_slice++) {
      AKIN_CHECK(check_stop());
      AKIN_CHECK(copy_slice(*server, {stores_.from, stores_.to}, copy.plan, slice, documents_));
    }
    return commit(*server);
  }

  /// Reports progress as if all texts were equally long.
  void advance(std::uint64_t documents) {
    std::uint64_t bytes = 0;
    {
      const std::lock_guard guard(mutex_);
      bytes = bytes_of(copied_ + documents) - bytes_of(copied_);
      copied_ += documents;
    }
    transfer_.advance(documents, bytes);
  }

  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t documents) const noexcept {
    if (documents >= documents_.size()) return static_cast<std::uint64_t>(counters_.text_bytes);
    return static_cast<std::uint64_t>(static_cast<double>(counters_.text_bytes) *
                                      static_cast<double>(documents) /
                                      static_cast<double>(documents_.size()));
  }

  Pool& pool_;
  const Parts& parts_;
  const StoreCopy& stores_;
  Transfer& transfer_;
  StoreCounters counters_;
  DocumentSet documents_;
  std::int64_t last_ = 0;  ///< number
  std::mutex mutex_;
  std::uint64_t copied_ = 0;    ///< documents; guarded by mutex_
  std::optional<Error> error_;  ///< the first one of several threads; guarded by mutex_
};

}  // namespace

Result<bool> can_copy_inside(Pool& pool, const StoreCopy& stores) {
  AKIN_TRY(const Pool::Lease connection, pool.lease());
  AKIN_TRY(const StoreCounters from, read_counters(*connection, stores.from, false));
  if (stores.columns.file && !from.files) return false;  // what the other store is to count is not known
  AKIN_TRY(const Rows rows,
           connection->run(of_store("SELECT (coalesce(max(doc), 0) < $3 AND NOT EXISTS ("
                                    "SELECT part, shard FROM akin.parts WHERE store IN ($1, $2)"
                                    " GROUP BY part, shard HAVING count(*) <> 2))::int::bigint"
                                    " FROM akin.documents_@",
                                    stores.from),
                           Params()
                               .number(static_cast<std::int64_t>(stores.from))
                               .number(static_cast<std::int64_t>(stores.to))
                               .number(kMostNumber)));
  return rows.number(0, 0) != 0;
}

Result<Revision> copy_inside(Pool& pool, const Parts& parts, const StoreCopy& stores, Transfer& transfer) {
  return InnerCopy(pool, parts, stores, transfer).run();
}

}  // namespace akin::pg
