// Opening an environment whose disk is full or whose file is not what it was.
#include "index/lmdb/env/opening.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "index/lmdb/env/lmdb.h"
#include "tests/support/child_process.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::HasSubstr;

constexpr std::uintmax_t kPage = 4096;

class Opening : public testing::Test {
 protected:
  Result<lmdb::Env> open(bool create = false) const {
    return lmdb::Env::open(folder_.path(), {{"plain"}, {"checked", true}}, {}, create);
  }
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "data.mdb"; }
  [[nodiscard]] std::uintmax_t pages() const { return std::filesystem::file_size(file()) / kPage; }
  static Result<void> put(lmdb::Env& env, const std::string& key, const std::string& value) {
    return env.write([&](lmdb::WriteTxn& txn) { return txn.put(env.tables()[0], key, value); });
  }
  void fill(int keys) const {
    lmdb::Env env = must(open(true));
    must(env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      for (int i = 0; i < keys; ++i)
        AKIN_CHECK(txn.put(env.tables()[0], numbered("key", i), std::string(300, 'v')));
      return txn.put(env.tables()[0], "large", std::string(20'000, 'v'));
    }));
  }
  void overwrite(std::uintmax_t page, std::size_t at, std::string_view bytes) const {
    std::fstream out(file(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(page * kPage + at));
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  [[nodiscard]] std::string page(std::uintmax_t number) const {
    std::string bytes(kPage, '\0');
    std::ifstream in(file(), std::ios::binary);
    in.seekg(static_cast<std::streamoff>(number * kPage));
    in.read(bytes.data(), kPage);
    return bytes;
  }

  TemporaryFolder folder_;
};

TEST_F(Opening, GivesTheLockFileItsWholeSpaceOnTheDisk) {
  const lmdb::Env env = must(open(true));
  struct stat status = {};
  ASSERT_EQ(stat((folder_.path() / "lock.mdb").c_str(), &status), 0);
  EXPECT_GE(status.st_blocks * 512, status.st_size);
}

TEST_F(Opening, GivesALockFileOfEarlierTimesItsSpaceAndLeavesItsSize) {
  fill(1);
  const std::filesystem::path lock = folder_.path() / "lock.mdb";
  std::filesystem::resize_file(lock, 0);
  std::filesystem::resize_file(lock, 65'664);
  must(open());
  struct stat status = {};
  ASSERT_EQ(stat(lock.c_str(), &status), 0);
  EXPECT_EQ(status.st_size, 65'664);
  EXPECT_GE(status.st_blocks * 512, status.st_size);
}

/// Runs `body` in a child in whose namespace the folder is a small disk, with so many bytes left.
int on_a_small_disk(const std::filesystem::path& folder, std::size_t left,
                    const std::function<int(const ChildSide&)>& body) {
  ChildProcess child([&](const ChildSide& parent) {
    constexpr int kCannot = 77;
    constexpr std::size_t kDisk = std::size_t{256} << 10;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=256k") != 0) {
      return kCannot;
    }
    std::ofstream(folder / "filler", std::ios::binary) << std::string(kDisk - left, 'x');
    return body(parent);
  });
  return child.wait();
}

TEST_F(Opening, OnADiskThatFillsUpAtAnyMomentIsDiskFullAndNoSignal) {
  int made = 0;
  for (std::size_t left = 0; left <= 40 * kPage; left += kPage) {
    const int code = on_a_small_disk(folder_.path(), left, [&](const ChildSide&) {
      const Result<lmdb::Env> env = open(true);
      if (!env.has_error()) return 0;
      return env.error().code == Errc::disk_full ? 1 : 2;
    });
    if (code == 77) GTEST_SKIP() << "mounting a small disk is not permitted here";
    EXPECT_TRUE(code == 0 || code == 1) << left << " bytes left: " << code;
    made += code == 0 ? 1 : 0;
  }
  EXPECT_GT(made, 0);
}

TEST_F(Opening, WithReadersUpToTheLimitOnAFullDiskNeedsNoMoreSpace) {
  const int code = on_a_small_disk(folder_.path(), 40 * kPage, [&](const ChildSide&) {
    const lmdb::Env env = must(open(true));
    std::ofstream(folder_.path() / "rest", std::ios::binary) << std::string(40 * kPage, 'x');
    std::vector<lmdb::ReadTxn> readers;
    for (int i = 0; i < 1000; ++i) readers.push_back(must(env.read()));
    return 0;
  });
  if (code == 77) GTEST_SKIP() << "mounting a small disk is not permitted here";
  EXPECT_EQ(code, 0);
}

TEST_F(Opening, OfAFileCutAtAnyPageNamesTheFileBothSizesAndTheRemedy) {
  fill(200);
  const std::uintmax_t whole = pages();
  for (std::uintmax_t left = whole - 1; left >= 2; --left) {
    std::filesystem::resize_file(file(), left * kPage);
    const Result<lmdb::Env> env = open();
    ASSERT_TRUE(env.has_error()) << left;
    EXPECT_EQ(env.error().code, Errc::corrupt);
    EXPECT_THAT(env.error().what, HasSubstr("data.mdb"));
    EXPECT_THAT(env.error().reason, testing::AllOf(HasSubstr(std::to_string(left * kPage)),
                                                   HasSubstr(std::to_string(whole * kPage))));
    EXPECT_THAT(env.error().remedy, HasSubstr("restore a backup"));
  }
}

TEST_F(Opening, OfAFileWithoutBothMetaPagesIsAnErrorToo) {
  fill(200);
  for (const std::uintmax_t left : {kPage + 100, kPage, std::uintmax_t{100}, std::uintmax_t{1}}) {
    std::filesystem::resize_file(file(), left);
    EXPECT_EQ(open().error().code, Errc::corrupt) << left;
  }
}

TEST_F(Opening, OfAFileWhoseLastPagesWereFreeAndNeverWrittenSucceeds) {
  fill(20);
  bool is_shorter = false;
  {
    lmdb::Env env = must(open());
    for (std::size_t round = 1; round < 10 && !is_shorter; ++round) {
      must(env.write([&](lmdb::WriteTxn& txn) -> Result<void> {
        AKIN_CHECK(txn.put(env.tables()[0], "small", numbered("v", round)));
        AKIN_CHECK(txn.put(env.tables()[0], "gone", std::string(round * 200'000, 'v')));
        AKIN_CHECK(txn.erase(env.tables()[0], "gone"));
        return {};
      }));
      is_shorter = must(env.file_bytes()) < must(env.read()).map_use().used_bytes;
    }
  }
  ASSERT_TRUE(is_shorter);
  EXPECT_FALSE(open().has_error());
}

TEST_F(Opening, NamesThePageAndTheTableOfADamagedBranch) {
  fill(5'000);
  int branches = 0;
  for (std::uintmax_t number = 2; number < pages(); ++number) {
    const std::string sound = page(number);
    if (sound[10] != 1 || sound[11] != 0) continue;
    // Of a branch that an earlier transaction has left, nothing depends.
    overwrite(number, 0, page(2));
    const Result<lmdb::Env> damaged = open();
    overwrite(number, 0, sound);
    if (!damaged.has_error()) continue;
    ++branches;
    EXPECT_EQ(damaged.error().code, Errc::corrupt);
    EXPECT_THAT(damaged.error().what,
                testing::AllOf(HasSubstr("page " + std::to_string(number)), HasSubstr("table 'plain'")));
  }
  EXPECT_GT(branches, 0);
  EXPECT_FALSE(open().has_error());
}

}  // namespace
}  // namespace akin::test
