// The scrub of a data file: what it finds, where it continues, and what it leaves alone.
#include "index/lmdb/folder/scrub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "index/lmdb/store/store.h"
#include "tests/support/damaged_file.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::HasSubstr;

class Scrub : public StoreTest {
 protected:
  /// Values in pages and on pages of their own, runs and tombstones.
  void fill(std::uint64_t documents) {
    std::vector<std::pair<std::string, Values>> made;
    for (std::uint64_t i = 0; i < documents; ++i)
      made.emplace_back(numbered("d", i), values(i, i % 50 == 0 ? 3'000 : 40));
    put_all(made);
    must(store_->flush_and_merge(true));
    must(std::static_pointer_cast<LmdbStore>(store_)->begin_change_log());
    for (std::uint64_t i = 0; i < 40; ++i) put(numbered("d", i * 7), values(i + documents, 40));
    erase({"d3", "d5"});
    for (std::uint64_t i = 0; i < 60; ++i) put(numbered("e", i), values(1, 40));
  }
  static Values values(std::uint64_t document, std::uint64_t count) {
    std::mt19937_64 random(document);
    Values values(count);
    for (std::uint64_t& value : values) value = random();
    return values;
  }

  std::optional<ScrubPass> scrub(std::uint64_t most = ~std::uint64_t{0}) {
    found_.clear();
    read_ = 0;
    return must(scrub_store(
        path_, {.pace =
                    [&](std::uint64_t bytes) {
                      read_ += bytes;
                      if (meanwhile_) meanwhile_();
                      return read_ < most;
                    },
                .report = [&](const Finding& one) { found_.push_back(one.where + ": " + one.broken); }}));
  }

  struct Count {
    int tried = 0, found = 0;
  };
  /// Flips single bits, as many of each table, and scrubs each time. The table "meta" checks its own values
  /// when they are read; "main" also counts pages, which `verify` compares.
  std::map<std::string, Count> flip_bits(bool entries) {
    const char* const wished = std::getenv("AKIN_DAMAGE_TRIES");  // NOLINT(concurrency-mt-unsafe)
    const int tries = wished == nullptr ? 96 : std::atoi(wished);
    DamagedFile damaged(file());
    std::map<std::string, std::vector<FileRegion>> regions;
    for (const FileRegion& region : damaged.regions()) {
      const bool is_covered = region.table != "meta" && region.table != "main";
      if (region.is_entry == entries && region.size > 0 && is_covered)
        regions[region.table].push_back(region);
    }
    EXPECT_GE(regions.size(), 8U);
    std::map<std::string, Count> counts;
    std::mt19937_64 random(17);
    for (int i = 0; i < tries; ++i) {
      const auto& [table, parts] = *std::next(regions.begin(), i % static_cast<int>(regions.size()));
      const FileRegion& part = parts[random() % parts.size()];
      const std::uint64_t byte = part.begin + random() % part.size;
      const auto bit = static_cast<unsigned>(random() % 8);
      damaged.flip(byte, bit);
      EXPECT_TRUE(scrub());
      damaged.flip(byte, bit);
      Count& count = counts[table];
      ++count.tried;
      count.found += found_.empty() ? 0 : 1;
    }
    return counts;
  }

  [[nodiscard]] std::filesystem::path file() const { return path_ / "data.mdb"; }

  std::vector<std::string> found_;
  std::uint64_t read_ = 0;
  std::function<void()> meanwhile_;
};

TEST_F(Scrub, FindsNothingInASoundFileAndReadsItWhole) {
  fill(300);
  const auto pass = scrub();
  ASSERT_TRUE(pass);
  EXPECT_THAT(found_, testing::IsEmpty());
  EXPECT_EQ(pass->findings, 0U);
  EXPECT_TRUE(pass->ended);
  EXPECT_GT(pass->bytes, std::filesystem::file_size(file()) / 2);
  EXPECT_EQ(last_scrub_of(path_), pass);
}

TEST_F(Scrub, OfAnEmptyStoreEnds) {
  EXPECT_TRUE(scrub());
  EXPECT_THAT(found_, testing::IsEmpty());
}

TEST_F(Scrub, HasNoResultBeforeItHasEnded) { EXPECT_FALSE(last_scrub_of(path_)); }

TEST_F(Scrub, FindsEverySingleBitOfAnEntry) {
  fill(300);
  close();
  for (const auto& [table, count] : flip_bits(true)) EXPECT_EQ(count.found, count.tried) << table;
}

TEST_F(Scrub, FindsSingleBitsOfPageHeadersThatAnybodyReads) {
  fill(300);
  close();
  int tried = 0, found = 0;
  for (const auto& [table, count] : flip_bits(false)) {
    tried += count.tried;
    found += count.found;
    std::printf("%-10s %d of %d\n", table.c_str(), count.found, count.tried);
  }
  // LMDB leaves two bytes of each page's header unused, and a branch's key may lie anywhere between its
  // children.
  EXPECT_GE(found * 10, tried * 7);
}

TEST_F(Scrub, CountsDamageOnceAndKeepsTheFirst) {
  fill(300);
  close();
  const std::uint64_t page = DamagedFile(file()).pages().back();
  DamagedFile(file()).overwrite(page, std::string(4096, 'x'));
  const auto pass = scrub();
  ASSERT_TRUE(pass);
  EXPECT_EQ(pass->findings, found_.size());
  EXPECT_THAT(pass->first.where, HasSubstr("page " + std::to_string(page)));
  EXPECT_EQ(last_scrub_of(path_), pass);
  const std::set<std::string> distinct(found_.begin(), found_.end());
  EXPECT_EQ(distinct.size(), found_.size());
}

TEST_F(Scrub, FindsAFileThatIsTooShort) {
  fill(300);
  close();
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) / 2 / 4096 * 4096);
  ASSERT_TRUE(scrub());
  EXPECT_THAT(found_, testing::Contains(HasSubstr("too short")));
}

TEST_F(Scrub, FindsAFileWithoutItsMetaPages) {
  fill(10);
  close();
  DamagedFile(file()).overwrite(0, std::string(4096, '\0'));
  ASSERT_TRUE(scrub());
  EXPECT_THAT(found_, testing::ElementsAre(HasSubstr("meta pages")));
}

TEST_F(Scrub, ContinuesWhereItWasStopped) {
  fill(6'000);
  const auto whole = scrub();
  ASSERT_TRUE(whole);
  ASSERT_GT(whole->bytes, 4U << 20U);
  int calls = 1;
  std::optional<ScrubPass> pass;
  std::uint64_t read = 0;
  for (; !(pass = scrub(1)); ++calls) {
    read += read_;
    EXPECT_EQ(last_scrub_of(path_), whole);
  }
  read += read_;
  EXPECT_GE(calls, 4);
  EXPECT_EQ(read, whole->bytes);
  EXPECT_EQ(pass->bytes, whole->bytes);
}

TEST_F(Scrub, FindsNothingWhileTheStoreIsWritten) {
  fill(3'000);
  std::uint64_t written = 0;
  meanwhile_ = [&] {
    for (int i = 0; i < 20; ++i, ++written) put(numbered("w", written % 30), values(written, 200));
  };
  ASSERT_TRUE(scrub());
  EXPECT_GT(written, 0U);
  EXPECT_THAT(found_, testing::IsEmpty());
}

TEST_F(Scrub, StopsWhenTheStoreIsReplaced) {
  fill(6'000);
  close();
  meanwhile_ = [&] { std::filesystem::rename(path_, folder_.path() / ".trash"); };
  EXPECT_FALSE(scrub());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Scrub, BeginsFromTheStartIfItsRecordIsDamaged) {
  fill(300);
  std::ofstream(path_ / "SCRUB") << "akin scrub 1\nzz\n";
  EXPECT_FALSE(last_scrub_of(path_));
  EXPECT_TRUE(scrub());
}

}  // namespace
}  // namespace akin::test
