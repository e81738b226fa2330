// Packed rows and blocks of postings as bytes, and what a merge plans to rewrite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "index/pg/compaction.h"
#include "index/pg/packed_rows.h"

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

TEST(PackedRow, CutAnywhereHasABeginningOfItsPostingsOrIsNone) {
  const std::vector<StoredPosting> postings = made_postings(60);
  const std::string bytes = pg::encode_row(postings, pg::bucket_of(kKey, kLevel));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    bool is_sound = false;
    const std::string cut = bytes.substr(0, size);  // its end is the end of its memory
    const std::vector<StoredPosting> some = unpacked(cut, is_sound);
    ASSERT_LE(some.size(), postings.size());
    ASSERT_TRUE(!is_sound || std::ranges::equal(some, std::span(postings).first(some.size()))) << size;
  }
}

TEST(PackedRow, OfOtherBytesEndsWhereTheyEnd) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    bool is_sound = false;
    EXPECT_LE(unpacked(bytes, is_sound).size(), bytes.size() + 1);
    static_cast<void>(pg::for_each_in_block(bytes, [](std::int64_t, std::uint32_t) {}));
  }
}

TEST(PostingBlock, HoldsWhatWasPackedIntoIt) {
  std::vector<StoredPosting> postings = made_postings(pg::kBlockPostings);
  for (StoredPosting& posting : postings) posting.key = kKey;
  std::ranges::sort(postings);
  std::vector<StoredPosting> read;
  EXPECT_TRUE(pg::for_each_in_block(pg::encode_block(postings), [&](auto document, auto count) {
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
