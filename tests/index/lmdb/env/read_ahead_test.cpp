#include "index/lmdb/env/read_ahead.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/bytes.h"
#include "base/files.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/env/page_file.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

constexpr std::size_t kEntries = 20'000;
constexpr std::size_t kPageBytes = 4096;

std::string key_of(std::size_t number) { return "key " + std::to_string(1'000'000 + number); }

/// An environment with a tree of several levels, whose values are on pages of their own.
class ReadAhead : public testing::Test {
 protected:
  void SetUp() override {
    lmdb::Env env = must(lmdb::Env::open(folder_.path(), {{"plain"}}, options_, true));
    const std::string value(3000, 'v');
    must(env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      for (std::size_t i = 0; i < kEntries; ++i) AKIN_CHECK(txn.append(env.tables()[0], key_of(i), value));
      return {};
    }));
  }
  [[nodiscard]] lmdb::Env open() const {
    return must(lmdb::Env::open(folder_.path(), {{"plain"}}, options_, false));
  }
  [[nodiscard]] std::string file() const { return (folder_.path() / "data.mdb").string(); }

  /// Pages of the data file that are in memory.
  [[nodiscard]] std::size_t resident() const {
    const FileHandle data(::open(file().c_str(), O_RDONLY | O_CLOEXEC));
    const auto bytes = static_cast<std::size_t>(lseek(data.get(), 0, SEEK_END));
    void* const map = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, data.get(), 0);
    std::vector<unsigned char> pages(bytes / kPageBytes);
    EXPECT_EQ(mincore(map, pages.size() * kPageBytes, pages.data()), 0);
    munmap(map, bytes);
    return static_cast<std::size_t>(
        std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1U) != 0; }));
  }
  /// Pages of the data file that this process has mapped.
  [[nodiscard]] std::size_t mapped() const {
    std::ifstream maps("/proc/self/smaps");
    std::size_t pages = 0;
    bool is_of_file = false;
    for (std::string line; std::getline(maps, line);) {
      if (line.find(file()) != std::string::npos) is_of_file = true;
      if (!is_of_file || line.rfind("Rss:", 0) != 0) continue;
      pages += std::stoul(line.substr(4)) * 1024 / kPageBytes;
      is_of_file = false;
    }
    return pages;
  }
  /// False if the system keeps the pages.
  [[nodiscard]] bool drop_pages() const {
    const FileHandle data(::open(file().c_str(), O_RDONLY | O_CLOEXEC));
    fsync(data.get());
    posix_fadvise(data.get(), 0, 0, POSIX_FADV_DONTNEED);
    return resident() < 100;
  }

  /// Until so many pages are in memory, or ten seconds have passed.
  void wait_for(std::size_t pages) const {
    for (int i = 0; i < 1000 && resident() < pages; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  /// Every hundredth key.
  static std::vector<std::string> some_keys() {
    std::vector<std::string> keys;
    for (std::size_t i = 50; i < kEntries; i += 100) keys.push_back(key_of(i));
    return keys;
  }

  TemporaryFolder folder_;
  lmdb::Options options_;
};

TEST_F(ReadAhead, AnAnnouncedValueIsBroughtIntoMemoryAsAWhole) {
  constexpr std::size_t kPages = 8'192;
  lmdb::Env env = open();
  const lmdb::Table table = env.tables()[0];
  must(env.write(
      [&](lmdb::WriteTxn& txn) { return txn.put(table, "z", std::string(kPages * kPageBytes, 'z')); }));
  const lmdb::ReadTxn txn = must(env.read());
  const std::string_view value = must(txn.get(table, "z")).value();
  if (!drop_pages()) GTEST_SKIP() << "the system keeps the file's pages";
  lmdb::announce_value(value);
  wait_for(kPages);
  EXPECT_GE(resident(), kPages) << "one advice to the system reads a part of them";
}

TEST_F(ReadAhead, AnnouncedKeysBringTheirPagesIntoMemory) {
  if (!drop_pages()) GTEST_SKIP() << "the system keeps the file's pages";
  const lmdb::Env env = open();
  const lmdb::ReadTxn txn = must(env.read());
  const std::size_t before = resident();
  txn.announce(env.tables()[0], some_keys());
  wait_for(before + some_keys().size());
  EXPECT_GE(resident(), before + some_keys().size());
  EXPECT_LE(resident(), before + 4 * some_keys().size()) << "single pages, not what is around them";
}

TEST_F(ReadAhead, APageThatIsReadBringsNoOthersWithIt) {
  if (!drop_pages()) GTEST_SKIP() << "the system keeps the file's pages";
  const lmdb::Env env = open();
  const lmdb::ReadTxn txn = must(env.read());
  const std::size_t before = resident();
  for (const std::string& key : some_keys()) EXPECT_TRUE(must(txn.get(env.tables()[0], key)).has_value());
  EXPECT_LE(resident(), before + 4 * some_keys().size());
}

TEST_F(ReadAhead, AnnouncingFindsThePageOfEachKey) {
  if (!drop_pages()) GTEST_SKIP() << "the system keeps the file's pages";
  const std::vector<std::string> keys = some_keys();
  const auto read_all = [&](const lmdb::Env& env, const lmdb::ReadTxn& txn) {
    for (const std::string& key : keys) EXPECT_TRUE(must(txn.get(env.tables()[0], key)).has_value());
  };
  std::size_t needed = 0;
  {
    const lmdb::Env env = open();
    read_all(env, must(env.read()));
    needed = resident();
  }
  if (!drop_pages()) GTEST_SKIP() << "the system keeps the file's pages";
  const lmdb::Env env = open();
  const lmdb::ReadTxn txn = must(env.read());
  txn.announce(env.tables()[0], keys);
  wait_for(needed);
  const std::uint64_t waits = lmdb::disk_waits();
  read_all(env, txn);
  EXPECT_EQ(lmdb::disk_waits(), waits);
}

TEST_F(ReadAhead, ReadsOfWhichFewWaitAreNoticedOnce) {
  if (!drop_pages()) GTEST_SKIP() << "the system keeps the file's pages";
  const lmdb::Env env = open();
  const lmdb::ReadTxn txn = must(env.read());
  EXPECT_TRUE(must(txn.get(env.tables()[0], key_of(0))).has_value());
  std::vector<std::size_t> noticed;
  lmdb::ColdReads cold;
  for (std::size_t read = 0; read < 200; ++read) {
    if (cold.found_before(read)) noticed.push_back(read);
    const std::size_t number = read % 10 == 0 ? 100 * (1 + read / 10) : 0;
    EXPECT_TRUE(must(txn.get(env.tables()[0], key_of(number))).has_value());
  }
  ASSERT_EQ(noticed.size(), 1U);
  EXPECT_LE(noticed.front(), 24U);
}

TEST_F(ReadAhead, ReadsOfWhichNoneWaitAreNotNoticed) {
  const lmdb::Env env = open();
  const lmdb::ReadTxn txn = must(env.read());
  const auto read = [&](const std::string& key) {
    EXPECT_TRUE(must(txn.get(env.tables()[0], key)).has_value());
  };
  const std::vector<std::string> keys = some_keys();
  for (const std::string& key : keys) read(key);
  lmdb::ColdReads cold;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_FALSE(cold.found_before(i));
    read(keys[i]);
  }
}

TEST_F(ReadAhead, AScanReadsWhatFollows) {
  if (!drop_pages()) GTEST_SKIP() << "the system keeps the file's pages";
  const lmdb::Env env = open();
  const lmdb::ReadTxn txn = must(env.read());
  const std::size_t before = resident();
  const auto scan = txn.scan();
  const auto another = txn.scan();
  EXPECT_TRUE(must(txn.get(env.tables()[0], key_of(kEntries / 2))).has_value());
  EXPECT_GT(resident(), before + 4);
}

TEST_F(ReadAhead, PagesThatWereReadLeaveTheProcessIfItHoldsFew) {
  for (const auto held : {std::uint64_t{0}, std::uint64_t{100}}) {
    options_.held_pages = held;
    const lmdb::Env env = open();
    const lmdb::ReadTxn txn = must(env.read());
    const std::string_view first = must(txn.get(env.tables()[0], key_of(0))).value();
    lmdb::Cursor cursor = must(txn.cursor(env.tables()[0]));
    std::size_t entries = 0, most = 0;
    while (must(cursor.next())) {
      ASSERT_EQ(cursor.value().front(), 'v');
      if (++entries % 500 == 0) most = std::max(most, mapped());
    }
    for (const std::string& key : some_keys()) EXPECT_TRUE(must(txn.get(env.tables()[0], key)).has_value());
    most = std::max(most, mapped());
    constexpr std::size_t kMappedByAFault = 16;
    if (held == 0) {
      EXPECT_GE(most, kEntries);
    } else {
      EXPECT_LE(most, held * kMappedByAFault);
    }
    EXPECT_EQ(first, std::string(3000, 'v')) << "what was read before stays valid";
  }
}

TEST_F(ReadAhead, AWriterKeepsItsPagesUntilItCommits) {
  options_.held_pages = 1;
  lmdb::Env env = open();
  const lmdb::Table table = env.tables()[0];
  must(env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    for (const std::string& key : some_keys()) AKIN_CHECK(txn.put(table, key, std::string(3000, 'w')));
    for (const std::string& key : some_keys()) EXPECT_EQ(must(txn.get(table, key)).value().front(), 'w');
    lmdb::Cursor cursor = must(txn.cursor(table));
    std::size_t written = 0;
    while (must(cursor.next())) written += cursor.value().front() == 'w' ? 1 : 0;
    EXPECT_EQ(written, some_keys().size());
    return {};
  }));
  EXPECT_LE(mapped(), 100U);
}

TEST_F(ReadAhead, AnnouncingKeysOfADamagedTreeIsHarmless) {
  const lmdb::Env env = open();  // which verifies the tree's root
  const lmdb::ReadTxn txn = must(env.read());
  {
    const FileHandle data(::open(file().c_str(), O_RDWR | O_CLOEXEC));
    const auto pages = static_cast<std::size_t>(lseek(data.get(), 0, SEEK_END)) / kPageBytes;
    std::string page(kPageBytes, '\0');
    std::size_t damaged = 0;
    for (std::size_t i = 2; i < pages; ++i) {
      const auto at = static_cast<off_t>(i * kPageBytes);
      ASSERT_EQ(pread(data.get(), page.data(), page.size(), at), static_cast<ssize_t>(page.size()));
      if (load_u64(page.data()) != i || load_u16(page.data() + 10) != lmdb::Page::kBranch) continue;
      std::fill(page.begin() + 200, page.end(), static_cast<char>(0xee));
      ASSERT_EQ(pwrite(data.get(), page.data(), page.size(), at), static_cast<ssize_t>(page.size()));
      ++damaged;
    }
    ASSERT_GE(damaged, 1U);
  }
  txn.announce(env.tables()[0], some_keys());
  txn.announce(env.tables()[0], {});
}

}  // namespace
}  // namespace akin::test
