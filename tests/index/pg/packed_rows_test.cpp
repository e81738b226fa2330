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

constexpr int kLevel = 12;
constexpr std::int64_t kKey = -1'234'567'890'123'456'789;

/// Postings of one bucket, ascending; a few keys have several, a few documents have a key often.
std::vector<StoredPosting> made_postings(std::size_t count) {
  std::mt19937_64 random(7);
  const std::int64_t first = pg::first_key(pg::bucket_of(kKey, kLevel));
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  while (places.size() < count) {
    const std::int64_t key =
        first + static_cast<std::int64_t>(random() % 2 == 0 ? random() % 4 : random() >> 13U);
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
  EXPECT_GE(kKey, pg::first_key(bucket));
  EXPECT_LE(static_cast<std::uint64_t>(kKey) - static_cast<std::uint64_t>(pg::first_key(bucket)),
            pg::last_key_offset(bucket));
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{-1}, pg::first_bucket(pg::kLeastLevel) - 1,
        pg::first_bucket(kLevel) + (std::int64_t{1} << kLevel), std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    EXPECT_FALSE(pg::is_bucket(number)) << number;
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
  const std::uint64_t last = pg::last_key_offset(bucket);
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

TEST(CompactionPlan, MergesWhatLoadsLeftInSeveralRowsOfEachBucket) {
  // Ten loads of three million postings, of 46 in a row.
  const pg::PostingSizes sizes{0, {{16, {30'000'000, 655'360}}}};
  const pg::CompactionPlan plan = pg::plan_compaction(sizes, false);
  EXPECT_THAT(plan.merged, testing::ElementsAre(16));
  EXPECT_EQ(plan.level, pg::level_for(30'000'000));
  EXPECT_EQ(plan.slices, 16U) << "of two million each";
}

TEST(CompactionPlan, LeavesWhatIsMerged) {
  const pg::PostingSizes sizes{1'000, {{pg::kBlocks, {5'000'000, 6'000}}, {20, {30'000'000, 1'000'000}}}};
  EXPECT_EQ(pg::plan_compaction(sizes, false).level, 0);
  EXPECT_EQ(pg::unsettled_postings(sizes), 0U);
  EXPECT_EQ(pg::rows_of_lookup(sizes), 1U);
  EXPECT_THAT(pg::plan_compaction(sizes, true).merged, testing::ElementsAre(20));
}

TEST(CompactionPlan, MergesALevelThatIsNotMuchLargerThanWhatIsNew) {
  const pg::PostingSizes sizes{500'000, {{14, {900'000, 16'384}}, {22, {150'000'000, 4'194'304}}}};
  EXPECT_THAT(pg::plan_compaction(sizes, false).merged, testing::ElementsAre(14));
}

}  // namespace
}  // namespace akin::test
