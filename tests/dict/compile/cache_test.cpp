// Compiled tables on disk: found again, rebuilt when damaged, shared by processes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <random>
#include <thread>

#include "base/files.h"
#include "base/hash.h"
#include "dict/table/format.h"
#include "dict/table/table.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCachedWords = "book/S\nhouse/S\nits\nit/S\n";

class CacheTest : public testing::Test {
 protected:
  [[nodiscard]] std::shared_ptr<const Dictionary> open() { return TinyDictionaries::open(config_); }

  [[nodiscard]] std::vector<fs::path> files_ending(std::string_view ending) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(files_.cache())) {
      if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
    }
    return found;
  }
  [[nodiscard]] fs::path table_file() { return open()->stats().cache_file; }

  [[nodiscard]] static std::string read(const fs::path& file) { return *read_whole_file(file); }
  static void write(const fs::path& file, std::string_view content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
  }
  /// Inputs count as settled only some time after they were written; see FileStates.
  static void let_files_settle() { std::this_thread::sleep_for(std::chrono::milliseconds(150)); }

  void expect_works(const Dictionary& dictionary) {
    EXPECT_EQ(dictionary.stats().forms, 6U);
    EXPECT_EQ(hash_of(dictionary, "books"), hash_of(dictionary, "book"));
    EXPECT_EQ(hash_of(dictionary, "its"), hash_of(dictionary, "it"));
    EXPECT_NE(hash_of(dictionary, "its"), hash_of(dictionary, "book"));
  }

  TinyDictionaries files_;
  DictionaryPair pair_ = files_.write("xx", kPluralAff, kCachedWords);
  DictionaryConfig config_ = files_.config({pair_});
};

TEST_F(CacheTest, KeepsOneTableForEqualContents) {
  expect_works(*open());
  expect_works(*open());
  EXPECT_EQ(files_ending(".dict").size(), 1U);
}

TEST_F(CacheTest, DoesNotRewriteAGoodTable) {
  const fs::path table = table_file();
  const auto written = fs::last_write_time(table);
  let_files_settle();
  expect_works(*open());
  expect_works(*open());
  EXPECT_EQ(fs::last_write_time(table), written);
  EXPECT_EQ(files_ending(".stamp").size(), 1U);
}

TEST_F(CacheTest, NoticesAChangedDictionary) {
  const std::string before = open()->fingerprint();
  let_files_settle();
  expect_works(*open());
  files_.write("xx", kPluralAff, "book/S\nhorse/S\nits\nit/S\n");  // as many bytes as before
  const auto after = open();
  EXPECT_NE(after->fingerprint(), before);
  EXPECT_TRUE(knows(*after, "horses"));
  EXPECT_FALSE(knows(*after, "houses"));
}

TEST_F(CacheTest, RebuildsATableTruncatedAnywhere) {
  const fs::path table = table_file();
  const std::string whole = read(table);
  let_files_settle();
  expect_works(*open());  // stamped
  for (std::size_t size = 0; size < whole.size(); size += size < sizeof(table_format::Header) ? 5 : 97) {
    write(table, std::string_view(whole).substr(0, size));
    expect_works(*open());
    ASSERT_EQ(read(table), whole) << "truncated to " << size;
  }
}

TEST_F(CacheTest, RebuildsATableWithAnyByteFlipped) {
  const fs::path table = table_file();
  const std::string whole = read(table);
  let_files_settle();
  expect_works(*open());
  for (std::size_t at = 0; at < whole.size(); at += at < sizeof(table_format::Header) ? 1 : 13) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    write(table, damaged);
    expect_works(*open());
    ASSERT_EQ(read(table), whole) << "flipped at " << at;
  }
}

TEST_F(CacheTest, RemovesWhatDeadProcessesLeftAndNothingOfThoseAtWork) {
  fs::remove(table_file());
  const fs::path left = files_.cache() / "0123.dict.tmp.1.0";
  const fs::path at_work = files_.cache() / "0123.dict.tmp.2.0";
  for (const fs::path& file : {left, at_work}) write(file, "half a ta");
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  expect_works(*open());  // makes the table
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(at_work));
}

TEST_F(CacheTest, RemovesWhatNobodyHasReadForLong) {
  const fs::path used = table_file();
  fs::path unused = used, foreign = files_.cache() / "notes.txt";
  unused.replace_filename(std::string(32, 'a') + ".dict");
  fs::path stamp = unused;
  stamp.replace_extension(".stamp");
  for (const fs::path& file : {unused, stamp, foreign}) {
    write(file, "old");
    const ::timespec long_ago{::time(nullptr) - 91 * 86'400, 0};
    const ::timespec times[] = {long_ago, long_ago};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  static_cast<void>(open());
  EXPECT_TRUE(fs::exists(unused)) << "nothing was compiled";
  config_ = files_.config({files_.write("yy", kPluralAff, "cat/S\n")});
  static_cast<void>(open());
  EXPECT_FALSE(fs::exists(unused) || fs::exists(stamp));
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_TRUE(fs::exists(used));
}

TEST_F(CacheTest, RebuildsALargeTableThatWasChanged) {
  std::string words;
  for (int i = 0; i < 60'000; ++i) words += "w" + std::to_string(i * 7919 + 1'000'000) + "\n";
  config_ = files_.config({files_.write("yy", kPluralAff, words)});
  const fs::path table = table_file();
  const std::string whole = read(table);
  ASSERT_GT(whole.size(), std::size_t{1} << 20);  // smaller ones are checked whole at every opening
  let_files_settle();
  EXPECT_EQ(open()->stats().forms, 60'000U);  // stamped
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 1);
  write(table, damaged);
  EXPECT_EQ(open()->stats().forms, 60'000U);
  EXPECT_TRUE(read(table) == whole);  // not printed: it is large
}

TEST_F(CacheTest, IgnoresADamagedStamp) {
  const fs::path table = table_file();
  let_files_settle();
  expect_works(*open());
  ASSERT_EQ(files_ending(".stamp").size(), 1U);
  const fs::path stamp = files_ending(".stamp").front();
  const std::string whole = read(stamp);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(stamp, std::string_view(whole).substr(0, size));
    expect_works(*open());
    std::string damaged = whole;
    damaged[size] = static_cast<char>(damaged[size] ^ 1);
    write(stamp, damaged);
    expect_works(*open());
  }
  EXPECT_EQ(read(stamp), whole);
}

TEST_F(CacheTest, NamesTheVersionsOfCompilerAndHashInTheStamp) {
  let_files_settle();
  expect_works(*open());
  const std::string versions =
      std::to_string(table_format::kCompilerVersion) + "." + std::to_string(kHashVersion);
  EXPECT_EQ(read(files_ending(".stamp").front()).substr(0, 12 + versions.size()),
            "akin-stamp " + versions + " ");
}

TEST_F(CacheTest, WorksWithoutAWritableFolder) {
  config_.cache = files_.write_file("a file, no folder", "");
  const auto dictionary = open();
  expect_works(*dictionary);
  EXPECT_EQ(dictionary->stats().cache_file, "");
}

TEST_F(CacheTest, ServesManyProcessesThatBuildAtOnce) {
  std::vector<::pid_t> children;
  for (int i = 0; i < 6; ++i) {
    const ::pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto opened = Dictionary::open(config_);
      ::_exit(opened && (*opened)->stats().forms == 6 ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const ::pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(files_ending(".dict").size(), 1U);
  EXPECT_THAT(files_ending(""),
              testing::Each(testing::ResultOf(
                  [](const fs::path& file) { return file.string().find(".tmp."); }, std::string::npos)));
  expect_works(*open());
}

TEST_F(CacheTest, ServesManyThreadsThatBuildAtOnce) {
  std::vector<std::jthread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto opened = Dictionary::open(config_);
      if (opened && (*opened)->stats().forms == 6) ++good;
    });
  }
  threads.clear();
  EXPECT_EQ(good, 4);
}

// A body that nobody checked: look-ups stay inside the file whatever it holds.
TEST_F(CacheTest, LookUpsInADamagedBodyStayInside) {
  const std::string whole = read(table_file());
  const std::size_t body = sizeof(table_format::Header);
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<char> image(whole.begin(), whole.end());
    for (int i = 0; i < 40; ++i) image[body + random() % (image.size() - body)] = static_cast<char>(random());
    const auto table = WordClassTable::keep(std::move(image));
    if (!table) continue;
    std::vector<std::uint64_t> keys{0, 1, ~std::uint64_t{0}, ~std::uint64_t{1}};
    for (int i = 0; i < 20; ++i) keys.push_back(random());
    for (const std::uint64_t key : keys) {
      const std::uint32_t row = table->find(key);
      if (row == WordClassTable::kNoRow) continue;
      for (const std::uint32_t id : table->lemma_ids(row)) EXPECT_LE(table->lemma(id).size(), whole.size());
      EXPECT_LE(table->class_name_of_row(row).size(), whole.size());
    }
    if (const auto book = table->class_of_lemma("book")) {
      EXPECT_LE(table->class_name(*book).size(), whole.size());
    }
  }
}

}  // namespace
}  // namespace akin::test
