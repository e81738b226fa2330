// Readers, writers and growth at once; meant for ThreadSanitizer too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/index/numbered.h"
#include "tests/index/store_fixture.h"

namespace akin::test {
namespace {

constexpr int kDocuments = 12;
constexpr std::uint64_t kFeatures = 10;
constexpr int kRounds = 60;

/// Document d always has features of its own and one that all share, so a search sees all of it or nothing.
Values values_of(int document) {
  Values values;
  for (std::uint64_t i = 0; i < kFeatures; ++i)
    values.push_back(static_cast<std::uint64_t>(document) * 100 + i);
  values.push_back(99'999);
  return values;
}

class Concurrency : public StoreTest {};

TEST_F(Concurrency, SearchSeesAllOfADocumentOrNothing) {
  LmdbStoreOptions options;
  options.lmdb.map_bytes = std::size_t{128} << 10;
  options.lmdb.durable = false;
  open(options);

  std::atomic<int> writers = 2;
  std::atomic<std::uint64_t> searches = 0;
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < 2; ++writer) {
    threads.emplace_back([&, writer] {
      for (int round = 0; round < kRounds; ++round) {
        for (int document = writer; document < kDocuments; document += 2) {
          const std::string id = numbered("d", document);
          if (round % 3 == 2) {
            EXPECT_FALSE(store_->remove({id}).has_error());
          } else {
            EXPECT_FALSE(store_->put(MadeDocument(id, values_of(document)).view()).has_error());
          }
        }
        // Filling, so that the map must grow while readers are at work.
        const std::string filler = numbered(numbered("filler", writer) + "-", round);
        EXPECT_FALSE(store_->put(MadeDocument(filler, Values(2000, 777'777)).view()).has_error());
      }
      --writers;
    });
  }
  for (int reader = 0; reader < 3; ++reader) {
    threads.emplace_back([&] {
      Values all;
      for (int document = 0; document < kDocuments; ++document) {
        for (std::uint64_t value : values_of(document)) all.push_back(value);
      }
      const FeatureSequence query = make_sequence(all);
      SearchRequest request;
      request.query = &query;
      request.bound = 0;
      request.limit = 1000;
      while (writers > 0) {
        const Result<std::unique_ptr<Snapshot>> view = store_->snapshot();
        ASSERT_FALSE(view.has_error());
        const Result<SearchResult> result = (*view)->search(request);
        ASSERT_FALSE(result.has_error());
        for (const Hit& hit : result->hits) EXPECT_EQ(hit.overlap.x, kFeatures + 1);
        EXPECT_EQ(*(*view)->verify(nullptr, nullptr), 0U);
        ++searches;
      }
    });
  }
  threads.clear();
  EXPECT_GT(searches, 0U);
  EXPECT_EQ(stats().documents, 2U * kRounds);
  EXPECT_THAT(verify(), testing::IsEmpty());
}

TEST_F(Concurrency, StoresAreOpenedAndClosedByManyThreads) {
  close();
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        const Result<std::shared_ptr<LmdbStore>> store = LmdbStore::open(path_);
        ASSERT_FALSE(store.has_error());
        EXPECT_FALSE((*store)->snapshot().has_error());
      }
    });
  }
}

}  // namespace
}  // namespace akin::test
