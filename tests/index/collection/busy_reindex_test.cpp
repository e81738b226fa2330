// Reindexing under writers and readers; meant for ThreadSanitizer too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "tests/support/catalog_fixture.h"
#include "tests/support/numbered.h"
#include "tests/support/write_history.h"

namespace akin::test {
namespace {

class BusyReindex : public CatalogTest {
 protected:
  static constexpr std::uint32_t kWriters = 3;

  /// Writers write and readers search, each in a catalog of its own or in the shared one, until `work` is
  /// done. Nobody is refused. Afterwards exactly what the writers wrote is there.
  template <class Work>
  void while_busy(const Work& work) {
    put(*must(catalog_->get("books")), "anchor", text_of("anchor", 30));
    std::atomic<bool> done = false;
    std::mutex mutex;
    Texts expected{{"anchor", text_of("anchor", 30)}};
    std::vector<std::jthread> threads;
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back([&, writer] {
        const std::shared_ptr<Catalog> catalog = writer == 0 ? open_catalog() : catalog_;
        const std::shared_ptr<Collection> held = must(catalog->get("books"));
        Texts mine;
        for (std::uint32_t number = 0; !done; ++number) {
          const Write write = write_of(writer, number);
          // One writer holds the collection that it opened at the beginning.
          const Result<void> outcome = perform(write, writer == 1 ? *held : *must(catalog->get("books")));
          ASSERT_FALSE(outcome.has_error()) << outcome.error().message();
          perform(write, mine);
        }
        const std::lock_guard lock(mutex);
        expected.merge(mine);
      });
    }
    for (int reader = 0; reader < 2; ++reader) {
      threads.emplace_back([&] {
        while (!done) {
          EXPECT_THAT(found(*must(catalog_->get("books")), text_of("anchor", 30), 20),
                      testing::ElementsAre("anchor"));
        }
      });
    }
    {
      // The threads end when the work fails, too.
      const std::shared_ptr<void> end(nullptr, [&](void*) { done = true; });
      work();
    }
    threads.clear();
    const std::shared_ptr<Collection> books = must(catalog_->get("books"));
    EXPECT_EQ(stored_texts(*books), expected);
    EXPECT_THAT(verify(*books), testing::IsEmpty());
    for (const auto& [id, text] : expected) EXPECT_THAT(found(*books, text, 3), testing::Contains(id));
  }
};

TEST_F(BusyReindex, RefusesNothingAndLosesNothing) {
  must(catalog_->create("books", ""));
  while_busy([&] {
    for (int i = 0; i < 5; ++i)
      must(catalog_->reindex("books", i % 2 == 0 ? "sentences" : "sentence-pairs", {}));
  });
  if (is_lmdb()) {
    EXPECT_EQ(files("books").size(), 3U);
  }
}

TEST_F(BusyReindex, LetsCompactionsAndBackupsGoOnToo) {
  AKIN_SKIP_UNLESS_LMDB();
  must(catalog_->create("books", ""));
  while_busy([&] {
    for (int i = 0; i < 4; ++i) {
      must(catalog_->compact("books", {}));
      BackupRequest request;
      request.collections = {"books"};
      request.target = folder_.path() / numbered("backup", i);
      must(catalog_->backup(request));
      RestoreRequest back;
      back.source = request.target;
      back.collections = {"books"};
      back.as = numbered("copy", i);
      must(catalog_->restore(back));
      EXPECT_THAT(verify(*must(catalog_->get(back.as))), testing::IsEmpty());
    }
  });
}

}  // namespace
}  // namespace akin::test
