// More collections than may stay open: they are opened on demand, and the least recently used are closed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "index/lmdb/catalog.h"
#include "index/lmdb/folder/collection_folder.h"
#include "index/lmdb/folder/collection_list.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/numbered.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ManyCollections : public CatalogTest {
 protected:
  void open_with(std::size_t max_open) {
    catalog_.reset();
    catalog_ = must(open_data_folder(data_, plain_, "none", true, {.max_open = max_open}));
  }
  std::vector<std::string> open_names() const {
    std::vector<std::string> names;
    for (const auto& collection : catalog_->open_now()) names.push_back(collection->name());
    return names;
  }
  static std::string name_of(std::size_t number) { return "c" + std::to_string(number); }

  /// A figure of /proc/self/status, in its unit.
  static std::uint64_t own_status(const std::string& figure) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(figure + ":")) return std::stoull(line.substr(figure.size() + 1));
    }
    return 0;
  }
};

TEST_F(ManyCollections, TheLeastRecentlyUsedIsClosed) {
  open_with(2);
  for (const char* name : {"a", "b", "c"}) must(catalog_->create(name, ""));
  EXPECT_THAT(open_names(), ElementsAre("b", "c"));
  must(catalog_->get("b"));
  must(catalog_->get("a"));
  EXPECT_THAT(open_names(), ElementsAre("a", "b"));
}

TEST_F(ManyCollections, AClosedOneHasEverythingWhenItIsOpenedAgain) {
  open_with(1);
  put(*must(catalog_->create("a", "")), "one", text_of("one", 4));
  must(catalog_->create("b", ""));
  const std::shared_ptr<Collection> again = must(catalog_->get("a"));
  EXPECT_THAT(ids(*again), ElementsAre("one"));
  EXPECT_THAT(found(*again, text_of("one", 4)), ElementsAre("one"));
  EXPECT_THAT(verify(*again), IsEmpty());
}

TEST_F(ManyCollections, OneInUseStaysOpenOverTheLimit) {
  open_with(1);
  const std::shared_ptr<Collection> held = must(catalog_->create("a", ""));
  put(*held, "one", text_of("one", 3));
  for (const char* name : {"b", "c", "d"}) must(catalog_->create(name, ""));
  EXPECT_THAT(open_names(), testing::Contains("a"));
  EXPECT_EQ(must(catalog_->get("a")), held);
}

TEST_F(ManyCollections, ASnapshotKeepsItsCollectionOpen) {
  open_with(1);
  std::unique_ptr<Snapshot> snapshot;
  {
    const std::shared_ptr<Collection> collection = must(catalog_->create("a", ""));
    put(*collection, "one", text_of("one", 3));
    snapshot = must(collection->snapshot());
  }
  for (const char* name : {"b", "c", "d"}) must(catalog_->create(name, ""));
  EXPECT_EQ(must(snapshot->list("", 10)).size(), 1U);
}

TEST_F(ManyCollections, AnIdleOneHasNoThread) {
  open_with(8);
  const std::uint64_t before = own_status("Threads");
  for (int i = 0; i < 8; ++i) put(*must(catalog_->create(name_of(i), "")), "one", text_of("one", 3));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (own_status("Threads") > before && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(own_status("Threads"), before);
  EXPECT_EQ(open_names().size(), 8U);
  // And it gets one again.
  const std::shared_ptr<Collection> collection = must(catalog_->get(name_of(0)));
  put(*collection, "two", text_of("two", 3));
  EXPECT_THAT(ids(*collection), ElementsAre("one", "two"));
}

/// Threads put, remove and search in random ones of 300 collections, of which 16 stay open; each thread has
/// documents of its own, so that it knows what every answer must be.
TEST_F(ManyCollections, UnderMixedLoadAllAnswersAreRight) {
  constexpr std::size_t kCollections = 300;
  constexpr std::size_t kOpen = 16;
  constexpr int kThreads = 6;
  constexpr int kSteps = 250;
  open_with(kOpen);
  for (std::size_t i = 0; i < kCollections; ++i) must(catalog_->create(name_of(i), "sentence-pairs"));
  const std::uint64_t address_space = own_status("VmSize");  // kB
  std::atomic<std::size_t> most_open = 0;
  std::atomic<std::uint64_t> most_address_space = 0;
  std::vector<std::set<std::size_t>> stored(
      kThreads);  // numbers of the collections with the thread's document
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        std::mt19937 random(static_cast<unsigned>(thread));
        const std::string id = "of-" + std::to_string(thread);
        std::set<std::size_t>& mine = stored[static_cast<std::size_t>(thread)];
        for (int step = 0; step < kSteps; ++step) {
          const std::size_t number = random() % kCollections;
          const std::string text = text_of(id + name_of(number), 4);
          const std::shared_ptr<Collection> collection = must(catalog_->get(name_of(number)));
          EXPECT_EQ(found(*collection, text).size(), mine.contains(number) ? 1U : 0U) << name_of(number);
          if (random() % 3 == 0) {
            EXPECT_EQ(must(collection->remove({id})), mine.erase(number));
          } else {
            EXPECT_EQ(put(*collection, id, text), !mine.insert(number).second);
          }
          most_open = std::max(most_open.load(), catalog_->open_now().size());
          most_address_space = std::max(most_address_space.load(), own_status("VmSize"));
        }
      });
    }
  }
  // Beyond the limit, only what is in use at the moment: by the threads, and by merges after their writes.
  EXPECT_LE(most_open, kOpen + 3 * kThreads);
  constexpr std::uint64_t kMapKilobytes = std::uint64_t{32} << 20;
  EXPECT_LE(most_address_space, address_space + 4 * kThreads * kMapKilobytes);
  for (std::size_t number = 0; number < kCollections; ++number) {
    std::vector<std::string> expected;
    for (int thread = 0; thread < kThreads; ++thread) {
      if (stored[static_cast<std::size_t>(thread)].contains(number))
        expected.push_back("of-" + std::to_string(thread));
    }
    EXPECT_EQ(ids(*must(catalog_->get(name_of(number)))), expected) << name_of(number);
  }
}

/// A list of more names than CollectionList::kMany, in a folder that has not changed for a while.
class LongList : public testing::Test {
 protected:
  LongList() {
    for (std::size_t number = 0; number < CollectionList::kMany + 5; ++number) make(numbered("c", number));
  }
  /// Makes what looks like a collection from outside.
  void make(const std::string& name) const {
    std::filesystem::create_directory(folder_.path() / name);
    std::ofstream(folder_.path() / name / "CURRENT") << "gen-1 token\n";
  }
  [[nodiscard]] CollectionFolder collection(const std::string& name) const {
    return CollectionFolder(folder_.path() / name);
  }
  /// As if the last change was long ago.
  void age() const {
    const auto hour = std::chrono::hours(1);
    std::filesystem::last_write_time(folder_.path(), std::filesystem::file_time_type::clock::now() - hour);
  }
  std::set<std::string> names() {
    const std::vector<std::string> listed = must(list_.names());
    EXPECT_TRUE(std::ranges::is_sorted(listed));
    return {listed.begin(), listed.end()};
  }

  TemporaryFolder folder_;
  CollectionList list_{folder_.path()};
};

TEST_F(LongList, IsReadAgainOnlyIfTheFolderHasChanged) {
  age();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(names().size(), CollectionList::kMany + 5);
  must(collection("c7").set_expiry(time_now() - std::chrono::hours(1)));
  const bool was_kept = names().contains("c7");
  const auto taken = std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(was_kept || taken >= CollectionList::kUsable);
  list_.forget();
  EXPECT_FALSE(names().contains("c7"));

  make("another");
  EXPECT_TRUE(names().contains("another"));
  make("one_more");
  EXPECT_TRUE(names().contains("one_more")) << "at the same time, as far as the file system knows";
  age();
  EXPECT_EQ(names().size(), CollectionList::kMany + 6);
  std::filesystem::remove_all(folder_.path() / "c3");
  EXPECT_FALSE(names().contains("c3"));
}

TEST_F(LongList, LosesWhatExpiresWhileItIsKept) {
  const Time expires = time_now() + std::chrono::seconds(2);
  must(collection("c7").set_expiry(expires));
  age();
  const bool was_there = names().contains("c7");
  EXPECT_TRUE(was_there || time_now() >= expires);
  while (time_now() <= expires) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(names().contains("c7"));
}

}  // namespace
}  // namespace akin::test
