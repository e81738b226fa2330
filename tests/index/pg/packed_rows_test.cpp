// Packed rows and blocks of postings as bytes, and what a merge plans to rewrite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <random>
#include <set>

#include "index/pg/postings/compaction.h"
#include "index/pg/postings/packed_rows.h"

namespace akin::test {
namespace {

using pg::StoredPosting;

constexpr std::int64_t kKey = -1'234'567'890'123'456'789;
const int kLevel = pg::level_of(pg::band_of(kKey), 12);

/// Postings of one bucket, ascending; a few keys have several, a few documents have a key often.
std::vector<StoredPosting> made_postings(std::size_t count) {
  std::mt19937_64 random(7);
  const std::int64_t first = pg::keys_of_bucket(pg::bucket_of(kKey, kLevel)).first;
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  while (places.size() < count) {
    const std::int64_t key =
        first + static_cast<std::int64_t>(random() % 2 == 0 ? random() % 4 : random() >> 15U);
    places.emplace(key, static_cast<std::int64_t>(random() % 5'000'000'000));
  }
  std::vector<StoredPosting> postings;
  for (const auto& [key, document] : places)
    postings.push_back(
        {key, document, random() % 8 == 0 ? static_cast<std::uint32_t>(random() % 4'000'000'000 + 1) : 1U});
  return postings;
}

std::vector<StoredPosting> unpacked(std::string_view bytes, bool& is_sound) {
  std::vector<StoredPosting> postings;
  is_sound =
      pg::for_each_in_row(bytes, pg::bucket_of(kKey, kLevel), [&](auto key, auto document, auto count) {
        postings.push_back({key, document, count});
      });
  return postings;
}

TEST(PackedRow, HoldsWhatWasPackedIntoIt) {
  const std::vector<StoredPosting> postings = made_postings(300);
  bool is_sound = false;
  EXPECT_EQ(unpacked(pg::encode_row(postings, pg::bucket_of(kKey, kLevel)), is_sound), postings);
  EXPECT_TRUE(is_sound);
}

TEST(PackedRow, ANumberThatNoCountHasIsDamaged) {
  const std::string largest = std::string(9, '\xff') + '\x01';  // as a varint
  const auto ignore = [](auto...) {};
  EXPECT_FALSE(pg::for_each_in_checked_block("\x03" + largest, ignore));
  const std::int64_t bucket = pg::bucket_of(kKey, kLevel);
  EXPECT_FALSE(pg::for_each_in_checked_row("\x03" + largest + "\x02\x02", bucket, ignore));
}

TEST(PackedRow, CutAnywhereIsDamaged) {
  const std::string bytes = pg::encode_row(made_postings(60), pg::bucket_of(kKey, kLevel));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    bool is_sound = true;
    EXPECT_THAT(unpacked(bytes.substr(0, size), is_sound), testing::IsEmpty());
    EXPECT_FALSE(is_sound) << size;
  }
}

TEST(PackedRow, WithAnyBitFlippedIsDamaged) {
  const std::string bytes = pg::encode_row(made_postings(60), pg::bucket_of(kKey, kLevel));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    bool is_sound = true;
    EXPECT_THAT(unpacked(flipped, is_sound), testing::IsEmpty());
    EXPECT_FALSE(is_sound) << bit;
  }
}

TEST(PackedRow, UnderAnotherBucketIsDamaged) {
  const std::int64_t bucket = pg::bucket_of(kKey, kLevel);
  const std::string bytes = pg::encode_row(made_postings(60), bucket);
  for (const std::int64_t other : {bucket + 1, bucket - 1, pg::bucket_of(kKey, kLevel + 2)})
    EXPECT_FALSE(pg::for_each_in_row(bytes, other, [](auto, auto, auto) {})) << other;
}

TEST(PostingBlock, UnderAnotherKeyIsDamaged) {
  const std::string bytes = pg::encode_block(std::vector<StoredPosting>{{kKey, 5, 1}, {kKey, 9, 2}});
  EXPECT_TRUE(pg::for_each_in_block(bytes, kKey, [](auto, auto) {}));
  EXPECT_FALSE(pg::for_each_in_block(bytes, kKey + 1, [](auto, auto) {}));
}

TEST(Buckets, AreToldFromOtherNumbers) {
  const std::int64_t bucket = pg::bucket_of(kKey, kLevel);
  EXPECT_TRUE(pg::is_bucket(bucket));
  EXPECT_GE(kKey, pg::keys_of_bucket(bucket).first);
  EXPECT_LE(kKey, pg::keys_of_bucket(bucket).last);
  const int band = pg::band_of(kKey);
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{-1}, pg::first_bucket(pg::level_of(band, pg::kLeastBits)) - 1,
        pg::first_bucket(kLevel) + (std::int64_t{1} << 12U),
        pg::first_bucket(pg::level_of(band, pg::kMostBits + 1)),
        pg::first_bucket(pg::level_of(pg::kBands, 12)), std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    EXPECT_FALSE(pg::is_bucket(number)) << number;
  EXPECT_FALSE(pg::is_bucket(pg::first_bucket(pg::level_of(band, 32)))) << "all of its keys have fewer bits";
}

/// Numbers as they stand in a row or block, without a checksum.
std::string numbers(std::initializer_list<std::uint64_t> values) {
  std::string bytes;
  for (const std::uint64_t value : values) append_varint(bytes, value);
  return bytes;
}

TEST(PostingBlock, OfDocumentsThatDoNotAscendOrOfTooLargeNumbersIsDamaged) {
  const auto is_block = [](const std::string& bytes) {
    return pg::for_each_in_checked_block(bytes, [](auto, auto) {});
  };
  constexpr std::uint64_t kMostDocument = std::numeric_limits<std::int64_t>::max();
  constexpr std::uint64_t kMostCount = std::numeric_limits<std::uint32_t>::max();
  EXPECT_TRUE(is_block(numbers({0, 2 * kMostDocument})));
  EXPECT_TRUE(is_block(numbers({1, kMostCount - 2})));
  EXPECT_FALSE(is_block(numbers({}))) << "no posting";
  EXPECT_FALSE(is_block(numbers({8, 0}))) << "the same document twice";
  EXPECT_FALSE(is_block(numbers({2, 2 * kMostDocument}))) << "a document before the one before it";
  EXPECT_FALSE(is_block(numbers({1, kMostCount - 1}))) << "a count of more than 32 bits";
  EXPECT_FALSE(is_block(numbers({1}))) << "no count";
}

TEST(PackedRow, OfKeysThatDoNotAscendOrAreNotTheBucketsIsDamaged) {
  const std::int64_t bucket = pg::bucket_of(kKey, kLevel);
  const pg::KeyRange keys = pg::keys_of_bucket(bucket);
  const auto last = static_cast<std::uint64_t>(keys.last - keys.first);
  const auto is_row = [&](const std::string& bytes) {
    return pg::for_each_in_checked_row(bytes, bucket, [](auto, auto, auto) {});
  };
  EXPECT_TRUE(is_row(numbers({0, 8, 2 * last, 8})));
  EXPECT_FALSE(is_row(numbers({}))) << "no posting";
  EXPECT_FALSE(is_row(numbers({0, 8, 0, 8}))) << "the same key twice";
  EXPECT_FALSE(is_row(numbers({2, 8, 2 * last, 8}))) << "a key of the next bucket";
  EXPECT_FALSE(is_row(numbers({1, 5, 8, 2}))) << "fewer postings than it says";
  EXPECT_FALSE(pg::for_each_in_checked_row(numbers({0, 8}), 0, [](auto, auto, auto) {})) << "no bucket";
}

TEST(PostingBlock, HoldsWhatWasPackedIntoIt) {
  std::vector<StoredPosting> postings = made_postings(pg::kBlockPostings);
  for (StoredPosting& posting : postings) posting.key = kKey;
  std::ranges::sort(postings);
  std::vector<StoredPosting> read;
  EXPECT_TRUE(pg::for_each_in_block(pg::encode_block(postings), kKey, [&](auto document, auto count) {
    read.push_back({kKey, document, count});
  }));
  EXPECT_EQ(read, postings);
}

/// The level of the second tier's seeds without bits.
const int kSeeds = pg::level_of(4, 0);

std::set<int> bands_of(const std::vector<pg::KeyRange>& ranges) {
  std::set<int> bands;
  for (const pg::KeyRange& one : ranges) {
    EXPECT_EQ(pg::band_of(one.first), pg::band_of(one.last));
    bands.insert(pg::band_of(one.first));
  }
  return bands;
}

TEST(CompactionPlan, MergesWhatLoadsLeftInSeveralRowsOfEachBucket) {
  // Ten loads of three million postings, of 46 in a row.
  const pg::PostingSizes sizes{{}, {{kSeeds + 16, {30'000'000, 655'360}}}};
  const pg::CompactionPlan plan = pg::plan_compaction(sizes, pg::Extent::settled);
  EXPECT_THAT(plan.merged, testing::ElementsAre(kSeeds + 16));
  EXPECT_EQ(plan.levels[4], pg::level_of(4, pg::bits_for(30'000'000)));
  EXPECT_EQ(plan.slices.size(), 16U) << "of two million each";
}

TEST(CompactionPlan, LeavesWhatIsMerged) {
  const pg::PostingSizes sizes{{0, 0, 0, 0, 1'000},
                               {{kSeeds, {5'000'000, 6'000}}, {kSeeds + 20, {30'000'000, 1'000'000}}}};
  EXPECT_THAT(pg::plan_compaction(sizes, pg::Extent::settled).slices, testing::IsEmpty());
  EXPECT_EQ(pg::unsettled_postings(sizes), 0U);
  EXPECT_EQ(pg::rows_of_lookup(sizes), 1U);
  EXPECT_THAT(pg::plan_compaction(sizes, pg::Extent::everything).merged, testing::ElementsAre(kSeeds + 20));
}

TEST(CompactionPlan, MergesALevelThatIsNotMuchLargerThanWhatIsNew) {
  const pg::PostingSizes sizes{{0, 0, 0, 0, 500'000},
                               {{kSeeds + 14, {900'000, 16'384}}, {kSeeds + 22, {150'000'000, 4'194'304}}}};
  EXPECT_THAT(pg::plan_compaction(sizes, pg::Extent::settled).merged, testing::ElementsAre(kSeeds + 14));
}

TEST(CompactionPlan, OfWhatIsRipeLeavesLevelsUntilTheyHaveEightRowsInEachBucket) {
  const auto merged = [](std::int64_t loads) {
    const pg::PostingSizes sizes{
        {}, {{kSeeds + 11, {100'000 * loads, 2'048 * loads}}, {kSeeds + 14, {1'600'000, 32'768}}}};
    return pg::plan_compaction(sizes, pg::Extent::ripe).merged;
  };
  EXPECT_THAT(merged(7), testing::IsEmpty());
  EXPECT_THAT(merged(8), testing::ElementsAre(kSeeds + 11));
  EXPECT_THAT(merged(16), testing::ElementsAre(kSeeds + 11, kSeeds + 14)) << "as large as what is new";
}

TEST(CompactionPlan, MergesEachBandByItsOwnSize) {
  const pg::PostingSizes sizes{{0, 0, 0, 0, 500'000},
                               {{pg::level_of(2, 12), {100'000, 4'096}},
                                {kSeeds + 14, {900'000, 16'384}},
                                {kSeeds + 22, {90'000'000, 4'194'304}}}};
  EXPECT_THAT(pg::plan_compaction(sizes, pg::Extent::settled).merged, testing::ElementsAre(kSeeds + 14));
  const pg::CompactionPlan all = pg::plan_compaction(sizes, pg::Extent::everything);
  EXPECT_THAT(all.merged, testing::SizeIs(3));
  EXPECT_EQ(bands_of(all.slices), (std::set<int>{2, 4}));
}

}  // namespace
}  // namespace akin::test
