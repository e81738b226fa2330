// Figures read from a data file without opening it are those of the open store.
#include "index/lmdb/folder/summary.h"

#include <atomic>
#include <fstream>
#include <thread>

#include "index/lmdb/catalog.h"
#include "index/lmdb/folder/collection_folder.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::IsEmpty;

class SummaryTest : public CatalogTest {
 protected:
  [[nodiscard]] std::filesystem::path store_of(const std::string& name) const {
    const CollectionFolder folder(data_ / "collections" / name);
    return folder.store_path(must(folder.current()));
  }
  static void expect_same(const StoreStats& read, const StoreStats& open) {
    EXPECT_EQ(read.documents, open.documents);
    EXPECT_EQ(read.features, open.features);
    EXPECT_EQ(read.postings, open.postings);
    EXPECT_EQ(read.text_bytes, open.text_bytes);
    EXPECT_EQ(read.text_stored_bytes, open.text_stored_bytes);
    EXPECT_EQ(read.disk_bytes, open.disk_bytes);
    EXPECT_EQ(read.last_revision, open.last_revision);
    EXPECT_EQ(read.tombstones, open.tombstones);
    EXPECT_EQ(read.files, open.files);
  }
  static StoreStats stats_of(const Collection& collection) {
    return must(must(collection.snapshot())->stats());
  }
};

TEST_F(SummaryTest, IsThatOfTheOpenStoreAfterEveryWrite) {
  const auto books = must(catalog_->create("books", "sentence-pairs", false));
  for (int i = 0; i < 60; ++i) {
    put(*books, std::to_string(i % 25), text_of(std::to_string(i), 1 + i * 3));
    if (i % 7 == 0) must(books->remove({std::to_string(i % 5)}));
    const auto summary = read_summary(store_of("books"));
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->identity.scheme, "sentence-pairs");
    EXPECT_EQ(summary->identity.fingerprint, books->fingerprint());
    EXPECT_EQ(summary->identity.languages, "none");
    EXPECT_FALSE(summary->identity.store_text);
    expect_same(summary->stats, stats_of(*books));
  }
}

TEST_F(SummaryTest, DescribingACollectionDoesNotOpenIt) {
  put(*must(catalog_->create("books", "")), "one", text_of("one", 4));
  const StoreStats open = stats_of(*must(catalog_->get("books")));
  reopen();
  const CollectionSummary summary = must(catalog_->describe("books"));
  expect_same(summary.stats, open);
  EXPECT_FALSE(must(catalog_->identity("books")).scheme.empty());
  EXPECT_THAT(catalog_->open_now(), IsEmpty());
}

TEST_F(SummaryTest, ACollectionThatNeedsOtherDictionariesIsDescribedByTheErrorOfItsOpening) {
  must(catalog_->create("books", ""));
  forget_dictionaries();
  reopen(other_);
  EXPECT_EQ(catalog_->describe("books").error().code, Errc::mismatch);
}

TEST_F(SummaryTest, IsOfOneMomentUnderAWriter) {
  const auto books = must(catalog_->create("books", "sentence-pairs"));
  const std::string text = text_of("same", 3);
  const std::filesystem::path store = store_of("books");
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 0; i < 300; ++i) put(*books, std::to_string(i), text);
    done = true;
  });
  std::uint64_t before = 0;
  std::size_t read = 0;
  while (!done) {
    const auto summary = read_summary(store);
    if (!summary) continue;  // a writer that commits very fast
    ++read;
    EXPECT_EQ(summary->stats.text_bytes, summary->stats.documents * text.size());
    EXPECT_GE(summary->stats.documents, before);
    before = summary->stats.documents;
  }
  EXPECT_GT(read, 10U);
}

TEST_F(SummaryTest, OfADamagedFileIsNothingOrWhatTheFileHolds) {
  put(*must(catalog_->create("books", "")), "one", text_of("one", 4));
  const std::filesystem::path store = store_of("books");
  catalog_.reset();
  std::ifstream file(store / "data.mdb", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::filesystem::path damaged = folder_.path() / "damaged";
  std::filesystem::create_directory(damaged);
  const auto summary_of = [&](const std::string& bytes) {
    std::ofstream(damaged / "data.mdb", std::ios::binary | std::ios::trunc) << bytes;
    return read_summary(damaged);
  };
  ASSERT_TRUE(summary_of(whole).has_value());
  for (std::size_t size = 0; size < whole.size(); size += 509)
    EXPECT_FALSE(summary_of(whole.substr(0, size)).has_value()) << size;
  // Any byte may be anything: nothing outside the pages is read (AddressSanitizer runs this).
  for (std::size_t at = 0; at < whole.size(); at += at < 8192 && at % 4096 < 200 ? 1 : 37) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = value;
      static_cast<void>(summary_of(bytes));
    }
  }
}

}  // namespace
}  // namespace akin::test
