#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/store/store.h"
#include "index/lmdb/tables/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/support/child_process.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

constexpr std::size_t kSmallMap = std::size_t{128} << 10;

/// An environment with one plain table and a map that is soon full.
class Lmdb : public testing::Test {
 protected:
  static lmdb::Options small() {
    lmdb::Options options;
    options.map_bytes = kSmallMap;
    options.patience = std::chrono::milliseconds(200);
    return options;
  }
  Result<void> put(const std::string& key, const std::string& value) {
    return env_.write([&](lmdb::WriteTxn& txn) { return txn.put(table(), key, value); });
  }
  std::string get(const lmdb::ReadTxn& txn, const std::string& key) const {
    return std::string(must(txn.get(table(), key)).value_or("(none)"));
  }
  [[nodiscard]] lmdb::Table table() const { return env_.tables()[0]; }

  TemporaryFolder folder_;
  lmdb::Env env_ = must(lmdb::Env::open(folder_.path(), {{"plain"}}, small(), true));
};

TEST_F(Lmdb, ErrorOfTheBodyUndoesTheWrite) {
  const Result<void> outcome = env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    AKIN_CHECK(txn.put(table(), "k", "v"));
    return Error{Errc::invalid_argument, "body", "changed its mind", ""};
  });
  EXPECT_EQ(outcome.error().what, "body");
  EXPECT_EQ(get(must(env_.read()), "k"), "(none)");
}

TEST_F(Lmdb, ReaderSeesWhatWasThereWhenItBegan) {
  must(put("k", "old"));
  const lmdb::ReadTxn before = must(env_.read());
  must(put("k", "new"));
  EXPECT_EQ(get(before, "k"), "old");
  EXPECT_EQ(get(must(env_.read()), "k"), "new");
}

TEST_F(Lmdb, ATransactionBesideAnotherSeesTheSameOrIsNotThere) {
  must(put("k", "old"));
  const lmdb::ReadTxn first = must(env_.read());
  {
    const auto beside = first.beside();
    ASSERT_TRUE(beside.has_value());
    EXPECT_EQ(get(*beside, "k"), "old");
  }
  must(put("k", "new"));
  EXPECT_FALSE(first.beside().has_value());
}

TEST_F(Lmdb, ATransactionBesideAnotherDoesNotWaitForAMapThatIsToGrow) {
  lmdb::Options patient = small();
  patient.patience = std::chrono::hours(1);
  const TemporaryFolder folder;
  lmdb::Env env = must(lmdb::Env::open(folder.path(), {{"plain"}}, patient, true));
  auto reader = std::make_optional(must(env.read()));
  const std::string value(20 * kSmallMap, 'x');
  std::jthread writer(
      [&] { must(env.write([&](lmdb::WriteTxn& txn) { return txn.put(env.tables()[0], "k", value); })); });
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(reader->beside().has_value());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  reader.reset();
  writer.join();
  EXPECT_EQ(get(must(env.read()), "k"), value);
}

TEST_F(Lmdb, TransactionsMoveAndEndOnce) {
  lmdb::ReadTxn first = must(env_.read());
  lmdb::ReadTxn second = std::move(first);
  second = must(env_.read());
  lmdb::Cursor cursor = must(second.cursor(table()));
  const lmdb::Cursor moved = std::move(cursor);
}

TEST_F(Lmdb, MapGrowsByItself) {
  const std::string value(4000, 'x');
  for (int i = 0; i < 500; ++i) must(put(numbered("key", i), value));
  EXPECT_GT(env_.map_bytes(), 500 * value.size());
  for (int i = 0; i < 500; ++i) EXPECT_EQ(get(must(env_.read()), numbered("key", i)), value);
}

TEST_F(Lmdb, OneWriteLargerThanTheMapGrowsIt) {
  const std::string value(20 * kSmallMap, 'x');
  must(put("k", value));
  EXPECT_EQ(get(must(env_.read()), "k"), value);
}

TEST_F(Lmdb, LongReaderMakesAGrowingWriteBusyAndHarmsNothing) {
  must(put("small", "1"));
  const std::string value(20 * kSmallMap, 'x');
  {
    const lmdb::ReadTxn reader = must(env_.read());
    EXPECT_EQ(put("k", value).error().code, Errc::busy);
    EXPECT_EQ(get(reader, "small"), "1");
    must(put("small", "2"));  // what fits goes on
  }
  must(put("k", value));
  EXPECT_EQ(get(must(env_.read()), "small"), "2");
}

TEST_F(Lmdb, StreamOfShortReadersDoesNotStarveGrowth) {
  std::atomic<bool> stop = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        const lmdb::ReadTxn txn = must(env_.read());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  must(put("k", std::string(20 * kSmallMap, 'x')));
  stop = true;
}

TEST_F(Lmdb, CursorWalksInKeyOrder) {
  for (const char* key : {"b", "a", "c"}) must(put(key, "1"));
  const lmdb::ReadTxn txn = must(env_.read());
  lmdb::Cursor cursor = must(txn.cursor(table()));
  std::string keys;
  while (must(cursor.next())) keys += cursor.key();
  EXPECT_EQ(keys, "abc");
  EXPECT_TRUE(must(cursor.last()));
  EXPECT_EQ(cursor.key(), "c");
  EXPECT_TRUE(must(cursor.seek_at_least("aa")));
  EXPECT_EQ(cursor.key(), "b");
  EXPECT_FALSE(must(cursor.seek("bb")));
}

TEST_F(Lmdb, EraseTellsWhetherTheKeyWasThere) {
  must(put("k", "v"));
  must(env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    EXPECT_TRUE(must(txn.erase(table(), "k")));
    EXPECT_FALSE(must(txn.erase(table(), "k")));
    return {};
  }));
}

TEST(LmdbOpen, WhereThereIsNothingIsNotFound) {
  const TemporaryFolder folder;
  EXPECT_EQ(lmdb::Env::open(folder.path(), {{"t"}}, {}, false).error().code, Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "data.mdb"));
}

TEST(LmdbOpen, OfAFileThatIsNoEnvironmentIsCorrupt) {
  const TemporaryFolder folder;
  FILE* file = std::fopen((folder.path() / "data.mdb").c_str(), "w");
  for (int i = 0; i < 1000; ++i) std::fputs("this is not an environment", file);
  std::fclose(file);
  EXPECT_EQ(lmdb::Env::open(folder.path(), {{"t"}}, {}, false).error().code, Errc::corrupt);
}

TEST(LmdbOpen, WithoutAnExpectedTableIsCorrupt) {
  const TemporaryFolder folder;
  { const lmdb::Env env = must(lmdb::Env::open(folder.path(), {{"t"}}, {}, true)); }
  const Error error = lmdb::Env::open(folder.path(), {{"t"}, {"u"}}, {}, false).error();
  EXPECT_EQ(error.code, Errc::corrupt);
  EXPECT_THAT(error.reason, testing::HasSubstr("'u'"));
}

TEST(LmdbOpen, InAFolderThatCannotBeMadeIsAnError) {
  EXPECT_TRUE(lmdb::Env::open("/proc/nowhere", {{"t"}}, {}, true).has_error());
}

TEST(KilledReader, KeepsPagesFromReuseForAFewHundredWritesOnly) {
  const TemporaryFolder folder;
  const auto open = [&] {
    lmdb::Options options;
    options.durable = false;
    return lmdb::Env::open(folder.path(), {{"plain"}}, options, true);
  };
  ChildProcess reader([&](const ChildSide& parent) {
    const lmdb::Env env = must(open());
    const lmdb::ReadTxn txn = must(env.read());
    parent.tell("reads");
    parent.wait_for_go();
    return 0;
  });
  ASSERT_EQ(reader.line(), "reads");
  lmdb::Env env = must(open());
  reader.kill();
  reader.wait();
  const auto used_after = [&](int writes) {
    for (int i = 0; i < writes; ++i) {
      must(
          env.write([&](lmdb::WriteTxn& txn) { return txn.put(env.tables()[0], "key", std::to_string(i)); }));
    }
    return must(env.read()).map_use().used_bytes;
  };
  const std::uint64_t used = used_after(600);
  EXPECT_LE(used_after(600), used + 16 * 4096);
}

}  // namespace
}  // namespace akin::test
