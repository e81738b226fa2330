#include "dict/compile/warm_words.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace akin {
namespace {

std::optional<std::uint64_t> found(const WarmWords& words, std::uint64_t key) {
  std::uint64_t hash = 0;
  return words.find(key, hash) ? std::optional(hash) : std::nullopt;
}

TEST(WarmWords, HasNothingAtFirst) {
  const WarmWords words;
  for (std::uint64_t key = 0; key < 1'000'000; ++key) ASSERT_EQ(found(words, key), std::nullopt) << key;
  EXPECT_EQ(found(words, ~std::uint64_t{0}), std::nullopt);
}

TEST(WarmWords, FindsWhatWasKept) {
  WarmWords words;
  for (const std::uint64_t key : {0U, 1U, 2U, 0xffffffffU}) {
    words.keep(key, key + 7);
    EXPECT_EQ(found(words, key), key + 7);
  }
}

TEST(WarmWords, DoesNotKeepAHashThatMarksAFreePlace) {
  WarmWords words;
  words.keep(5, 0);
  EXPECT_EQ(found(words, 5), std::nullopt);
}

TEST(WarmWords, HasRoomForFourKeysOfASetAndGivesTheirPlacesToLaterOnes) {
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

TEST(WarmWords, NeverGivesOneKeyTheHashOfAnother) {
  WarmWords words;
  std::vector<std::jthread> threads;
  std::atomic<int> wrong{0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 300'000; ++i) {
        // A few keys that contend for the same places.
        const std::uint64_t key = random() % 4 | (random() % 8) << 40U;
        if (const auto hash = found(words, key); hash && *hash != mix64(key)) ++wrong;
        words.keep(key, mix64(key));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace akin
