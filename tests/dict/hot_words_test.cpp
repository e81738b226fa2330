#include "dict/compile/hot_words.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace akin {
namespace {

std::optional<std::uint64_t> found(const HotWords& words, std::uint64_t key) {
  std::uint64_t hash = 0;
  return words.find(key, hash) ? std::optional(hash) : std::nullopt;
}

TEST(HotWords, HasNothingAtFirst) {
  const auto words = std::make_unique<HotWords>();
  for (std::uint64_t key = 0; key < 1'000'000; ++key) ASSERT_EQ(found(*words, key), std::nullopt) << key;
  EXPECT_EQ(found(*words, ~std::uint64_t{0}), std::nullopt);
}

TEST(HotWords, FindsWhatWasKept) {
  const auto words = std::make_unique<HotWords>();
  for (const std::uint64_t key : {0U, 1U, 2U, 0xffffffffU}) {
    words->keep(key, key + 7);
    EXPECT_EQ(found(*words, key), key + 7);
  }
}

TEST(HotWords, GivesAPlaceToTheLaterKey) {
  const auto words = std::make_unique<HotWords>();
  constexpr std::uint64_t kSamePlace = std::uint64_t{1} << 40;
  words->keep(5, 50);
  words->keep(5 + kSamePlace, 60);
  EXPECT_EQ(found(*words, 5), std::nullopt);
  EXPECT_EQ(found(*words, 5 + kSamePlace), 60U);
}

TEST(HotWords, NeverGivesOneKeyTheHashOfAnother) {
  const auto words = std::make_unique<HotWords>();
  std::vector<std::jthread> threads;
  std::atomic<int> wrong{0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 300'000; ++i) {
        // A few keys that contend for the same places.
        const std::uint64_t key = random() % 4 | (random() % 8) << 40U;
        if (const auto hash = found(*words, key); hash && *hash != mix64(key)) ++wrong;
        words->keep(key, mix64(key));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace akin
