// Postings in PostgreSQL against the definition while they become compact, are merged and erased.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <stop_token>

#include "index/pg/client/connection.h"
#include "index/pg/merge.h"
#include "index/pg/postings/packing.h"
#include "index/pg/postings/segments.h"
#include "index/pg/store.h"
#include "index/pg/tables/names.h"
#include "tests/support/database.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

class CompactPostings : public StoreTest {
 protected:
  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

  void put_some(std::uint64_t count) {
    std::vector<std::pair<std::string, Values>> batch;
    for (std::uint64_t i = 0; i < count; ++i) {
      batch.emplace_back(numbered("d", random_.below(400)), random_.values(120));
      documents_[batch.back().first] = batch.back().second;
    }
    put_all(batch);
  }

  void remove_some() {
    std::vector<std::string> ids;
    ids.reserve(10);
    for (int i = 0; i < 10; ++i) ids.push_back(numbered("d", random_.below(400)));
    erase(ids);
    for (const std::string& id : ids) documents_.erase(id);
  }

  void expect_exact_searches(int count) {
    for (int query = 0; query < count; ++query) {
      const Values values = random_.values(120);
      for (const std::uint64_t bound : {0U, 5U, 30U}) {
        std::vector<std::string> hits = found(values, bound);
        std::ranges::sort(hits);
        ASSERT_EQ(hits, hits_by_definition(documents_, values, bound)) << "bound " << bound;
      }
    }
  }

  pg::LevelSizes level_sizes() const {
    const auto connection = must(test_database()->borrow());
    return must(pg::read_level_sizes(*connection, dynamic_cast<pg::PgStore&>(*store_).number()));
  }

  std::int64_t postings_in_blocks() const {
    std::int64_t postings = 0;
    for (const auto& [level, size] : level_sizes()) postings += pg::are_blocks(level) ? size.postings : 0;
    return postings;
  }

  /// "a b x" of all pairs over a bound.
  std::vector<std::string> pairs(std::uint64_t bound) {
    std::vector<std::string> told;
    PairsRequest request;
    request.condition.bound = bound;
    const auto tell = [&](const DocumentPair& pair) -> Result<void> {
      told.push_back(std::string(pair.a) + " " + std::string(pair.b) + " " + std::to_string(pair.overlap.x));
      return {};
    };
    must(must(store_->snapshot())->pairs(request, tell));
    std::ranges::sort(told);
    return told;
  }

  std::vector<std::string> pairs_by_definition(std::uint64_t bound) const {
    std::vector<std::string> expected;
    for (auto a = documents_.begin(); a != documents_.end(); ++a) {
      for (auto b = std::next(a); b != documents_.end(); ++b) {
        const std::uint64_t x = naive_x(a->second, b->second);
        if (x > bound) expected.push_back(a->first + " " + b->first + " " + std::to_string(x));
      }
    }
    std::ranges::sort(expected);
    return expected;
  }

  Documents documents_;
  RandomValues random_{11, 3'000, kSpread};
};

TEST_F(CompactPostings, AreFoundWhileDocumentsComeChangeAndGo) {
  for (int step = 0; step < 40; ++step) {
    switch (random_.below(6)) {
      case 0:
        put_some(1);
        break;
      case 1:
      case 2:
        put_some(120);
        break;
      case 3:
        remove_some();
        break;
      case 4:
        must(store_->flush_and_merge(false));
        break;
      default:
        must(store_->flush_and_merge(true));
        break;
    }
    ASSERT_NO_FATAL_FAILURE(expect_exact_searches(2)) << "step " << step;
  }
  EXPECT_EQ(verify(), std::vector<std::string>());
  EXPECT_EQ(pairs(5), pairs_by_definition(5));
}

TEST_F(CompactPostings, TakeInWhatWasPutOneByOne) {
  for (int i = 0; i < 60; ++i) put_some(1);
  must(store_->flush_and_merge(true));
  expect_exact_searches(10);
  EXPECT_EQ(verify(), std::vector<std::string>());
  EXPECT_EQ(pairs(0), pairs_by_definition(0));
}

TEST_F(CompactPostings, LoseWhatIsGone) {
  put_some(200);
  remove_some();
  EXPECT_GT(stats().tombstones, 0U);
  must(store_->flush_and_merge(true));
  EXPECT_EQ(stats().tombstones, 0U);
  expect_exact_searches(5);
  EXPECT_EQ(verify(), std::vector<std::string>());
}

TEST_F(CompactPostings, AMergeThatIsStoppedLeavesTheRestToTheNext) {
  put_some(200);
  remove_some();
  const std::uint64_t tombstones = stats().tombstones;
  ASSERT_GT(tombstones, 0U);
  const auto& store = dynamic_cast<pg::PgStore&>(*store_);
  std::stop_source stop;
  stop.request_stop();
  must(pg::merge_store(*test_database(), store.number(),
                       {.erase = true, .everything = true, .tidy = true, .stop = stop.get_token()}));
  EXPECT_EQ(stats().tombstones, tombstones);
  expect_exact_searches(5);
  must(store_->flush_and_merge(true));
  EXPECT_EQ(stats().tombstones, 0U);
  expect_exact_searches(5);
  EXPECT_EQ(verify(), std::vector<std::string>());
}

TEST_F(CompactPostings, LoseWhatIsGoneBesideTheWriters) {
  std::vector<std::pair<std::string, Values>> batch;
  batch.reserve(600);
  for (std::uint64_t i = 0; i < 600; ++i) batch.emplace_back(numbered("d", i), random_.values(20));
  put_all(batch);
  put_all(batch);  // each document takes the place of the former one
  documents_.insert(batch.begin(), batch.end());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (stats().tombstones >= 512 && std::chrono::steady_clock::now() < end) {
    put("more", random_.values(20));
    put("more", {});
    documents_["more"] = {};
    expect_exact_searches(1);
  }
  EXPECT_LT(stats().tombstones, 512U);
  documents_["more"] = {};
  expect_exact_searches(5);
  EXPECT_EQ(verify(), std::vector<std::string>());
}

TEST_F(CompactPostings, TakeTheSpaceOfThoseThatEarlierMergesReplaced) {
  put_some(400);
  const pg::StoreNumber store = dynamic_cast<pg::PgStore&>(*store_).number();
  const auto bytes_after_merge = [&] {
    must(pg::merge_store(*test_database(), store, {.everything = true}));
    return must(must(test_database()->borrow())
                    ->run(pg::of_store("SELECT pg_relation_size('akin.packed_postings_@')", store)))
        .number(0, 0);
  };
  bytes_after_merge();
  const std::int64_t second = bytes_after_merge();
  EXPECT_GT(second, 0);
  for (int i = 0; i < 3; ++i) EXPECT_LE(bytes_after_merge(), second);
}

TEST_F(CompactPostings, AreSettledAfterALoad) {
  random_ = RandomValues(17, 1'000'000, kSpread);
  for (std::uint64_t batch = 0; batch < 3; ++batch) {
    std::vector<std::pair<std::string, Values>> documents;
    for (std::uint64_t i = 0; i < 1'000; ++i) {
      documents.emplace_back(numbered("d", 1'000 * batch + i), random_.values(300));
      documents.back().second.push_back(kSpread);  // all have this feature
    }
    put_all(documents);
    documents_.insert(documents.begin(), documents.end());
  }
  must(store_->flush_and_merge(false));
  EXPECT_EQ(stats().recent_postings, 0U);
  EXPECT_EQ(stats().runs, 1U) << "rows of a look-up";
  for (const auto& [level, size] : level_sizes()) {
    EXPECT_LE(size.postings / size.rows, pg::are_blocks(level) ? 1'024 : 64) << "postings in a row";
  }
  EXPECT_GT(postings_in_blocks(), 0) << "of the feature that all have";
  expect_exact_searches(3);
}

TEST_F(CompactPostings, OfFeaturesWithFewBitsArePackedToo) {
  for (const std::uint64_t bits : {32U, 44U}) {
    random_ = RandomValues(19, 3'000, (std::uint64_t{1} << bits) / 3'000);
    put_some(200);
  }
  must(store_->flush_and_merge(false));
  EXPECT_EQ(postings_in_blocks(), 0);
  expect_exact_searches(5);
  EXPECT_EQ(verify(), std::vector<std::string>());
  EXPECT_EQ(pairs(10), pairs_by_definition(10));
}

TEST_F(CompactPostings, OfFeaturesThatLieCloseTogetherAreFoundToo) {
  // All in one bucket of every level: none of its rows may grow without bound.
  random_ = RandomValues(13, 3'000, 1);
  for (int i = 0; i < 4; ++i) put_some(200);
  must(store_->flush_and_merge(false));
  must(store_->flush_and_merge(true));
  expect_exact_searches(5);
  EXPECT_EQ(verify(), std::vector<std::string>());
  EXPECT_EQ(pairs(10), pairs_by_definition(10));
}

/// The first and last features of all bands, and some between.
std::vector<std::int64_t> keys_of_all_bands() {
  std::vector<std::int64_t> keys;
  for (std::uint64_t tier = 0; tier < 4; ++tier) {
    for (const std::uint64_t rest :
         {std::uint64_t{0}, std::uint64_t{5'000}, (std::uint64_t{1} << 32U) - 1, std::uint64_t{1} << 32U,
          std::uint64_t{7} << 40U, (std::uint64_t{1} << 44U) - 1, std::uint64_t{1} << 44U,
          std::uint64_t{1'234'567'890'123'456'789}, (std::uint64_t{1} << 62U) - 1})
      keys.push_back(pg::key_of(Feature{tier << 62U | rest}));
  }
  return keys;
}

TEST(Bands, HaveTheFeaturesOfATierWithUpToSoManyBits) {
  std::vector<int> bands;
  for (const std::int64_t key : keys_of_all_bands()) bands.push_back(pg::band_of(key));
  std::vector<int> expected;
  for (int tier = 0; tier < 4; ++tier) {
    for (const int kind : {0, 0, 0, 1, 1, 1, 2, 2, 2}) expected.push_back(3 * tier + kind);
  }
  EXPECT_EQ(bands, expected);
}

TEST(Bands, AreDividedIntoPartsThatHaveAllOfTheirKeys) {
  for (const int bits : {0, 1, 8}) {
    std::int64_t next = std::numeric_limits<std::int64_t>::min();
    for (int band = 0; band < pg::kBands; ++band) {
      for (const pg::KeyRange& part : pg::parts_of_band(band, bits)) {
        ASSERT_EQ(part.first, next) << band;
        ASSERT_LE(part.first, part.last);
        EXPECT_EQ(pg::band_of(part.first), band);
        EXPECT_EQ(pg::band_of(part.last), band);
        next = static_cast<std::int64_t>(static_cast<std::uint64_t>(part.last) + 1);
      }
    }
    EXPECT_EQ(next, std::numeric_limits<std::int64_t>::min()) << "after the largest key";
  }
}

TEST(Buckets, AreOrderedAsTheirKeysAre) {
  for (const int bits : {8, 10, 32}) {
    std::vector<std::int64_t> buckets;
    for (const std::int64_t key : keys_of_all_bands()) {
      const int level = pg::level_of(pg::band_of(key), bits);
      buckets.push_back(pg::bucket_of(key, level));
      EXPECT_GE(buckets.back(), pg::first_bucket(level));
      EXPECT_LT(buckets.back(), pg::first_bucket(level + 1));
    }
    EXPECT_TRUE(std::ranges::is_sorted(buckets));
  }
}

TEST(Buckets, BeginWithTheirFirstKey) {
  for (const int bits : {8, 24, 32}) {
    for (const std::int64_t key : keys_of_all_bands()) {
      const int level = pg::level_of(pg::band_of(key), bits);
      const std::int64_t bucket = pg::bucket_of(key, level);
      EXPECT_TRUE(pg::is_bucket(bucket));
      EXPECT_EQ(pg::level_of_bucket(bucket), level);
      const pg::KeyRange keys = pg::keys_of_bucket(bucket);
      EXPECT_LE(keys.first, key);
      EXPECT_GE(keys.last, key);
      EXPECT_EQ(pg::bucket_of(keys.first, level), bucket) << key << " at " << bits;
      EXPECT_EQ(pg::bucket_of(keys.last, level), bucket) << key << " at " << bits;
    }
  }
}

TEST(Buckets, FromAKeyOnAreThoseThatMayHaveItOrALargerOne) {
  const std::vector<std::int64_t> keys = keys_of_all_bands();
  for (const std::int64_t from : keys) {
    for (const std::int64_t key : keys) {
      const int level = pg::level_of(pg::band_of(key), 10);
      const std::int64_t bucket = pg::bucket_of(key, level), first = pg::first_bucket_from(from, level);
      EXPECT_EQ(bucket >= first, pg::keys_of_bucket(bucket).last >= from) << key << " from " << from;
    }
  }
}

TEST(Buckets, OfARangeAreAllThatMayHaveItsKeys) {
  const std::int64_t first = pg::key_of(Feature{std::uint64_t{1} << 62U | std::uint64_t{5} << 40U});
  const pg::KeyRange range{first, first + 0xff'ffff};
  const int coarse = pg::level_of(pg::band_of(first), 20), fine = pg::level_of(pg::band_of(first), 22);
  const std::vector<int> levels{pg::level_of(2, 20), coarse, fine};
  EXPECT_EQ(
      pg::buckets_of(std::vector{range}, levels),
      (std::vector{pg::bucket_of(first, coarse), pg::bucket_of(first, fine), pg::bucket_of(first, fine) + 1,
                   pg::bucket_of(first, fine) + 2, pg::bucket_of(first, fine) + 3}));
}

TEST(Levels, MakeRowsOfBoundedLengthOnTheAverage) {
  for (const std::uint64_t postings : {20'000ULL, 1'000'000ULL, 150'000'000ULL, 150'000'000'000ULL}) {
    const std::uint64_t average = postings >> static_cast<unsigned>(pg::bits_for(postings));
    EXPECT_GE(average, 32U);
    EXPECT_LE(average, 64U);
  }
}

}  // namespace
}  // namespace akin::test
