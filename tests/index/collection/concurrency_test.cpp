// Readers, writers and growth at once; meant for ThreadSanitizer too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/hash.h"
#include "index/lmdb/store/store.h"
#include "index/lmdb/tables/runs.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

constexpr int kRacedDocuments = 12;
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
        for (int document = writer; document < kRacedDocuments; document += 2) {
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
      for (int document = 0; document < kRacedDocuments; ++document) {
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

constexpr std::uint64_t kOwnRun = 4096;
/// A value of every document that is large enough for a run of its own, and of all together.
constexpr std::uint64_t kInAll = 4711;

/// Features of a document in one version. All of them differ from those of other documents and versions, but
/// for kInAll.
Values large_values(int document, int version) {
  Values values = {kInAll};
  for (std::uint64_t i = 1; i < kOwnRun / 2; ++i) {
    values.push_back(mix64((static_cast<std::uint64_t>(document) << 40) +
                           (static_cast<std::uint64_t>(version) << 20) + i));
  }
  return values;
}

TEST_F(Concurrency, RunsAreWrittenMergedAndRemovedUnderReaders) {
  LmdbStoreOptions options;
  options.lmdb.durable = false;
  options.merge_step_bytes = std::size_t{64} << 10;
  options.small_run_postings = kOwnRun;
  open(options);
  constexpr int kVersions = 24;
  std::atomic<int> writers = 3;
  std::vector<std::jthread> threads;
  // Each batch buries the documents of the one before it.
  for (int writer = 0; writer < 2; ++writer) {
    threads.emplace_back([&, writer] {
      for (int version = 0; version < kVersions; ++version) {
        std::vector<MadeDocument> made;
        for (int i = 0; i < 3; ++i) {
          const int document = 3 * writer + i;
          made.emplace_back(numbered("batch", document), large_values(document, version));
        }
        const Result<std::vector<PutResult>> stored =
            store_->put_all({made[0].view(), made[1].view(), made[2].view()});
        ASSERT_FALSE(stored.has_error()) << stored.error().message();
        for (const PutResult& one : *stored) EXPECT_EQ(one.replaced, version > 0);
      }
      --writers;
    });
  }
  threads.emplace_back([&] {
    for (int round = 0; round < 150; ++round) {
      const std::string id = numbered("single", round % 7);
      if (round % 3 == 2) {
        EXPECT_FALSE(store_->remove({id}).has_error());
      } else {
        EXPECT_FALSE(
            store_->put(MadeDocument(id, {kInAll, static_cast<std::uint64_t>(round)}).view()).has_error());
      }
    }
    --writers;
  });
  // Beside the store's own thread, which merges eight runs of one size as soon as there are as many.
  threads.emplace_back([&] {
    for (int round = 0; writers > 0; ++round) {
      const Result<void> merged = store_->flush_and_merge(round % 2 == 0);
      EXPECT_FALSE(merged.has_error()) << merged.error().message();
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
  });
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&, reader] {
      const FeatureSequence all = make_sequence({kInAll});
      while (writers > 0) {
        const Result<std::unique_ptr<Snapshot>> view = store_->snapshot();
        ASSERT_FALSE(view.has_error());
        SearchRequest request;
        request.query = &all;
        request.bound = 0;
        request.limit = 1000;
        const Result<SearchResult> result = (*view)->search(request);
        ASSERT_FALSE(result.has_error()) << result.error().message();
        EXPECT_EQ(result->total, (*view)->stats()->documents);
        for (const Hit& hit : result->hits) {
          const Result<FeatureSequence> features = (*view)->features(hit.document.id);
          ASSERT_FALSE(features.has_error()) << features.error().message();
          SearchRequest itself = request;
          itself.query = &*features;
          const Result<SearchResult> found = (*view)->search(itself);
          ASSERT_FALSE(found.has_error()) << found.error().message();
          EXPECT_EQ(found->total, result->total);
          EXPECT_EQ(found->hits[0].document.id, hit.document.id);
          EXPECT_EQ(found->hits[0].overlap.x, hit.document.features);
        }
        if (reader == 0) {
          EXPECT_EQ(*(*view)->verify(nullptr, nullptr), 0U);
        }
      }
    });
  }
  threads.clear();
  must(store_->flush_and_merge(true));
  EXPECT_THAT(verify(), testing::IsEmpty());
  EXPECT_EQ(search({kInAll}).total, stats().documents);
  for (int document = 0; document < 6; ++document) {
    EXPECT_EQ(search(large_values(document, kVersions - 1), 1).total, 1U);
    EXPECT_EQ(search(large_values(document, kVersions - 2), 1).total, 0U);
  }
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
