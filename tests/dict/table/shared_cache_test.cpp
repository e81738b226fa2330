#include "dict/table/shared_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace akin {
namespace {

template <class Words>
std::optional<std::uint64_t> found(const Words& words, std::uint64_t key) {
  std::uint64_t hash = 0;
  return words.find(key, hash) ? std::optional(hash) : std::nullopt;
}

template <class Words>
class SharedCacheOfWords : public testing::Test {
 protected:
  Words words;
};
using BothSizes = testing::Types<HotWords, WarmWords>;
TYPED_TEST_SUITE(SharedCacheOfWords, BothSizes);

TYPED_TEST(SharedCacheOfWords, HasNothingAtFirst) {
  for (std::uint64_t key = 0; key < 1'000'000; ++key) ASSERT_EQ(found(this->words, key), std::nullopt) << key;
  EXPECT_EQ(found(this->words, ~std::uint64_t{0}), std::nullopt);
}

TYPED_TEST(SharedCacheOfWords, FindsWhatWasKept) {
  for (const std::uint64_t key : {0U, 1U, 2U, 0xffffffffU}) {
    this->words.keep(key, key + 7);
    EXPECT_EQ(found(this->words, key), key + 7);
  }
}

TYPED_TEST(SharedCacheOfWords, DoesNotKeepANumberThatMarksAFreePlace) {
  this->words.keep(5, 0);
  EXPECT_EQ(found(this->words, 5), std::nullopt);
}

TYPED_TEST(SharedCacheOfWords, NeverGivesOneKeyTheNumberOfAnother) {
  std::vector<std::jthread> threads;
  std::atomic<int> wrong{0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 300'000; ++i) {
        // A few keys that contend for the same places.
        const std::uint64_t key = random() % 4 | (random() % 8) << 40U;
        if (const auto hash = found(this->words, key); hash && *hash != mix64(key)) ++wrong;
        this->words.keep(key, mix64(key));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(SharedCache, GivesTheOnlyPlaceOfASetToTheLaterKey) {
  HotWords words;
  constexpr std::uint64_t kSamePlace = std::uint64_t{1} << 40;
  words.keep(5, 50);
  words.keep(5 + kSamePlace, 60);
  EXPECT_EQ(found(words, 5), std::nullopt);
  EXPECT_EQ(found(words, 5 + kSamePlace), 60U);
}

TEST(SharedCache, HasRoomForFourKeysOfASetAndGivesTheirPlacesToLaterOnes) {
  WarmWords words;
  const auto key = [](std::uint64_t i) { return 5 | i << 32U; };
  for (std::uint64_t i = 0; i < 4; ++i) words.keep(key(i), i + 1);
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(found(words, key(i)), i + 1);
  words.keep(key(6), 7);
  EXPECT_EQ(found(words, key(6)), 7U);
  int kept = 0;
  for (std::uint64_t i = 0; i < 4; ++i) kept += found(words, key(i)) ? 1 : 0;
  EXPECT_EQ(kept, 3);
}

TEST(SharedCache, UsesMoreSetsWhenManyKeysLoseTheirPlaces) {
  SharedCache<1024, 4, 16> words;
  const auto keep_all = [&](std::uint64_t keys) {
    std::uint64_t missing = 0;
    for (std::uint64_t key = 1; key <= keys; ++key) {
      const auto known = found(words, mix64(key));
      if (known) {
        EXPECT_EQ(*known, key);
      } else {
        ++missing;
        words.keep(mix64(key), key);
      }
    }
    return missing;
  };
  EXPECT_EQ(keep_all(1000), 1000);
  EXPECT_GT(keep_all(1000), 900);  // of 64 places at first
  for (int pass = 0; pass < 20; ++pass) keep_all(1000);
  EXPECT_LT(keep_all(1000), 100);
}

TEST(AnswerCache, FindsTheNumberWithItsFlag) {
  AnswerCache<16> answers;
  EXPECT_FALSE(answers.find(3));
  answers.keep(3, {30, true});
  answers.keep(3 + 16, {40, false});
  ASSERT_TRUE(answers.find(3));
  EXPECT_EQ(answers.find(3)->number, 30U);
  EXPECT_TRUE(answers.find(3)->flag);
  ASSERT_TRUE(answers.find(3 + 16));
  EXPECT_EQ(answers.find(3 + 16)->number, 40U);
  EXPECT_FALSE(answers.find(3 + 16)->flag);
}

}  // namespace
}  // namespace akin
