// What does not compile: transactions, batches and cursors used longer, or by more, than they may be. The
// compiler is the test; a test that runs could not fail.
#include <gtest/gtest.h>

#include <type_traits>

#include "index/lmdb/documents/document_batch.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/postings/posting_stream.h"
#include "index/lmdb/tables/runs.h"
#include "index/pg/client/pool.h"
#include "index/pg/documents/batch.h"

namespace akin::test {
namespace {

template <class T>
constexpr bool can_be_copied = std::is_copy_constructible_v<T> || std::is_copy_assignable_v<T>;
template <class T>
constexpr bool can_be_moved = std::is_move_constructible_v<T> || std::is_move_assignable_v<T>;
template <class T>
concept OpensCursors = requires(T&& txn, lmdb::Table table) {
  std::forward<T>(txn).cursor(table);
};
template <class T>
concept WritesCursors = requires(T&& txn, lmdb::Table table) {
  std::forward<T>(txn).write_cursor(table);
};
template <class T>
concept Puts = requires(T&& txn, lmdb::Table table) {
  std::forward<T>(txn).put(table, "", "");
};

static_assert(!can_be_copied<lmdb::ReadTxn> && can_be_moved<lmdb::ReadTxn>);
static_assert(!can_be_copied<lmdb::WriteTxn> && !can_be_moved<lmdb::WriteTxn>);
static_assert(!std::is_constructible_v<lmdb::WriteTxn, lmdb::ReadTxn&&>);
static_assert(Puts<lmdb::WriteTxn&> && !Puts<lmdb::ReadTxn&>);
static_assert(WritesCursors<lmdb::WriteTxn&> && !WritesCursors<lmdb::ReadTxn&>);
static_assert(!can_be_copied<pg::Pool::Loan>);

// A cursor of a transaction that ends with the statement.
static_assert(OpensCursors<lmdb::ReadTxn&> && !OpensCursors<lmdb::ReadTxn&&>);
static_assert(!can_be_copied<lmdb::Cursor>);
static_assert(!can_be_copied<RunCursor> && !can_be_copied<PostingStream>);

static_assert(!can_be_copied<DocumentBatch> &&
              !std::is_constructible_v<DocumentBatch, lmdb::WriteTxn&, const Tables&>);
static_assert(!can_be_copied<pg::Batch>);

TEST(MisuseDeathTest, OfABatchThatIsNeitherFinishedNorAbandonedIsAsserted) {
#ifdef NDEBUG
  GTEST_SKIP() << "compiled without assertions";
#else
  const auto forget = [] {
    MustEnd duty;
    duty.begin();
    const MustEnd moved(std::move(duty));
  };
  EXPECT_DEATH(forget(), "begun_");
#endif
}

}  // namespace
}  // namespace akin::test
