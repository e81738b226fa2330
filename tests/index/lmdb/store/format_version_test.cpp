// Indexes of other formats: they are refused with the way out, and left as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lmdb.h>
#include <sys/stat.h>

#include <map>
#include <tuple>

#include "base/files.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/store/store.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OtherFormat : public StoreTest {
 protected:
  OtherFormat() { put_all({{"a", {1, 2, 3}}, {"b", {2, 3, 4}}}); }

  void set_format(std::uint32_t version) { set_entry(encode_format(version)); }

  void set_entry(const std::string& entry) {
    close();
    {
      lmdb::Env env = must(lmdb::Env::open(path_, table_specs(), {}, false));
      must(env.write(
          [&](lmdb::WriteTxn& txn) { return txn.put(tables_of(env).meta, format::kFormatEntry, entry); }));
    }
    // Opening the environment would make it again.
    std::filesystem::remove(path_ / format::kLockFile);
  }

  /// Name, content, permissions and time of change of everything in the store's folder.
  using Files = std::map<std::string, std::tuple<std::string, mode_t, time_t, std::int64_t>>;
  [[nodiscard]] Files files() const {
    Files files;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      struct stat status = {};
      EXPECT_EQ(stat(entry.path().c_str(), &status), 0);
      files[entry.path().filename().string()] = {must(read_whole_file(entry.path())), status.st_mode,
                                                 status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    }
    return files;
  }

  void expect_refused(std::uint32_t version) const {
    const Files before = files();
    const Error error = LmdbStore::open(path_).error();
    EXPECT_EQ(error.code, Errc::mismatch);
    EXPECT_EQ(error.what, path_.string());
    EXPECT_THAT(error.reason, HasSubstr("the index has format " + std::to_string(version) + ","));
    EXPECT_THAT(error.remedy, AllOf(HasSubstr("with the akin that wrote it (akin export)"),
                                    HasSubstr("akin import"), HasSubstr("index the files again")));
    EXPECT_EQ(files(), before);
  }
};

class RefusedFormat : public OtherFormat, public testing::WithParamInterface<std::uint32_t> {};

TEST_P(RefusedFormat, IsNamedWithTheWayOutAndTheFolderIsLeftAsItIs) {
  set_format(GetParam());
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Versions, RefusedFormat, testing::Values(0U, 1U, 3U, 9U, ~0U));

/// Adds a table of several values of a key, which LMDB keeps in pages of other kinds.
void add_table_of_duplicates(const std::filesystem::path& folder) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi table = 0;
  ASSERT_EQ(mdb_env_create(&env), MDB_SUCCESS);
  ASSERT_EQ(mdb_env_set_maxdbs(env, 16), MDB_SUCCESS);
  ASSERT_EQ(mdb_env_open(env, folder.c_str(), 0, 0644), MDB_SUCCESS);
  ASSERT_EQ(mdb_txn_begin(env, nullptr, 0, &txn), MDB_SUCCESS);
  ASSERT_EQ(mdb_dbi_open(txn, "recent", MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED, &table), MDB_SUCCESS);
  for (std::uint32_t value = 0; value < 5'000; ++value) {
    std::string key = "feature";
    std::string bytes = std::to_string(10'000 + value);
    MDB_val k{key.size(), key.data()};
    MDB_val v{bytes.size(), bytes.data()};
    ASSERT_EQ(mdb_put(txn, table, &k, &v, 0), MDB_SUCCESS);
  }
  ASSERT_EQ(mdb_txn_commit(txn), MDB_SUCCESS);
  mdb_env_close(env);
  std::filesystem::remove(folder / format::kLockFile);
}

TEST_F(OtherFormat, WithATableThatThisOneDoesNotHaveIsNamed) {
  set_format(9);
  add_table_of_duplicates(path_);
  expect_refused(9);
}

TEST_F(OtherFormat, WithoutTablesThatThisOneHasIsNamed) {
  close();
  std::filesystem::remove_all(path_);
  {
    const std::vector<lmdb::TableSpec> tables = {{format::kMetaTable}, {"runs"}};
    lmdb::Env env = must(lmdb::Env::open(path_, tables, {}, true));
    must(env.write([&](lmdb::WriteTxn& txn) {
      return txn.put(env.tables()[0], format::kFormatEntry, encode_format(1));
    }));
  }
  expect_refused(1);
}

TEST_F(OtherFormat, WithoutTheMagicBytesIsNoIndexOfAkin) {
  set_entry("another-\1\0\0\0");
  const Files before = files();
  const Error error = LmdbStore::open(path_).error();
  EXPECT_EQ(error.code, Errc::corrupt);
  EXPECT_THAT(error.reason, HasSubstr("this is not an index of akin"));
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace akin::test
