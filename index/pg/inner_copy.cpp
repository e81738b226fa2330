#include "index/pg/inner_copy.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/exceptions.h"
#include "base/parallel.h"
#include "index/pg/documents/content.h"
#include "index/pg/postings/compaction.h"
#include "index/pg/postings/posting_rows.h"
#include "index/pg/tables/document_set.h"

namespace akin::pg {
namespace {

/// Of a statement.
constexpr std::size_t kDocumentsAtOnce = 10'000;
/// Half of the numbers that a collection can give out.
constexpr std::int64_t kMostNumber = std::int64_t{1} << 31;

/// Connections that copy postings. While one waits for the server, another packs.
constexpr unsigned kPackers = 2;

const std::string kBeginFixed = "BEGIN ISOLATION LEVEL REPEATABLE READ";

/// About what the sizes are with this many postings; what there is does not become 0.
PostingSizes reduced_to(std::uint64_t postings, PostingSizes sizes) {
  std::uint64_t all = std::reduce(sizes.rows.begin(), sizes.rows.end());
  for (const auto& [level, size] : sizes.levels) all += static_cast<std::uint64_t>(size.postings);
  if (all <= postings) return sizes;
  const double share = static_cast<double>(postings) / static_cast<double>(all);
  const auto reduce = [share](auto& number) {
    if (number <= 0) return;
    const auto less =
        static_cast<std::remove_reference_t<decltype(number)>>(static_cast<double>(number) * share);
    number = std::max<std::remove_reference_t<decltype(number)>>(less, 1);
  };
  for (std::uint64_t& rows : sizes.rows) reduce(rows);
  for (auto& [level, size] : sizes.levels) {
    reduce(size.postings);
    reduce(size.rows);
  }
  return sizes;
}

class InnerCopy {
 public:
  InnerCopy(Pool& pool, const StoreCopy& stores, Transfer& transfer)
      : pool_(pool), stores_(stores), transfer_(transfer) {}

  Result<Revision> run() {
    AKIN_TRY(const Pool::Loan own, pool_.borrow());
    AKIN_CHECK(own->command(kBeginFixed));
    AKIN_TRY(counters_, read_counters(*own, stores_.from, false));
    transfer_.expect(static_cast<std::uint64_t>(counters_.documents),
                     static_cast<std::uint64_t>(counters_.text_bytes));
    transfer_.begin_phase("copying");
    AKIN_CHECK(read_directory(*own));
    AKIN_CHECK(copy_directory(*own));
    AKIN_CHECK(copy_content(*own));
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
    CursorRows rows(own, of_store("SELECT doc FROM akin.documents_@ ORDER BY doc", stores_.from), 20'000);
    for (;;) {
      AKIN_TRY(const bool there, rows.next());
      if (!there) return {};
      last_ = rows.page().number(rows.row(), 0);
      documents_.add(last_);
    }
  }

  /// With what its documents add up to, and the numbers that they have.
  Result<void> copy_directory(Connection& own) {
    AKIN_CHECK(copy_rows(own, "documents_@",
                         "doc, id, revision, postings, stored_bytes, record, file_stored_bytes",
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

  /// Texts and sequences are copied by a connection with an open transaction, postings meanwhile by others,
  /// which see and commit the same on their own.
  Result<void> copy_content(Connection& connection) {
    AKIN_TRY(const PostingSizes sizes, read_posting_sizes(connection, stores_.from));
    AKIN_TRY(const Rows snapshot, connection.run("SELECT pg_export_snapshot()"));
    PostingsCopy postings{
        .plan = plan_compaction(reduced_to(static_cast<std::uint64_t>(counters_.postings), sizes),
                                Extent::everything),
        .snapshot = std::string(snapshot.bytes(0, 0))};
    AKIN_CHECK(run_together(1 + kPackers, [&](unsigned thread) {
      return thread == 0 ? copy_contents(connection) : copy_postings(postings);
    }));
    AKIN_TRY(const Pool::Loan other, pool_.borrow());
    return sum_sizes(*other, stores_.to);
  }

  Result<void> copy_contents(Connection& connection) {
    return copy_rows(connection, "contents_@", kContentColumns,
                     [this](std::uint64_t documents) { advance(documents); });
  }

  /// Postings in slices that several connections take one after the other.
  struct PostingsCopy {
    CompactionPlan plan;
    std::string snapshot;  ///< that all use
    std::atomic<std::size_t> next_slice = 0;
  };

  Result<void> copy_postings(PostingsCopy& copy) {
    if (copy.plan.slices.empty()) return {};
    AKIN_TRY(const Pool::Loan connection, pool_.borrow());
    AKIN_CHECK(connection->command(kBeginFixed + "; SET TRANSACTION SNAPSHOT '" + copy.snapshot + "'"));
    for (std::size_t slice = copy.next_slice++; slice < copy.plan.slices.size(); slice = copy.next_slice++) {
      AKIN_CHECK(check_stop());
      AKIN_CHECK(copy_slice(*connection, {stores_.from, stores_.to}, copy.plan, copy.plan.slices[slice],
                            documents_));
    }
    return commit(*connection);
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
  AKIN_TRY(const Pool::Loan connection, pool.borrow());
  AKIN_TRY(const Rows rows,
           connection->run(of_store("SELECT (coalesce(max(doc), 0) < $1)::int::bigint FROM akin.documents_@",
                                    stores.from),
                           Params().number(kMostNumber)));
  return rows.number(0, 0) != 0;
}

Result<Revision> copy_inside(Pool& pool, const StoreCopy& stores, Transfer& transfer) {
  return InnerCopy(pool, stores, transfer).run();
}

}  // namespace akin::pg
