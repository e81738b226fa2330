#include "base/key_set.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace akin {
namespace {

TEST(KeySet, HasItsKeysAndNoOther) {
  std::mt19937_64 random(1);
  for (const std::size_t size : {0U, 1U, 2U, 3U, 5U, 64U, 1000U}) {
    std::vector<std::uint64_t> keys;
    // Low bits that few keys share make long runs of taken places, also over the last one.
    for (std::size_t i = 0; i < size; ++i) keys.push_back((random() << 16U) | 0xfff0U | (random() % 16));
    const KeySet set(keys);
    const std::set<std::uint64_t> twin(keys.begin(), keys.end());
    for (const std::uint64_t key : keys) EXPECT_TRUE(set.has(key));
    for (int i = 0; i < 10'000; ++i) {
      const std::uint64_t key = i % 2 == 0 ? random() : (random() << 16U) | 0xfff0U | (random() % 16);
      EXPECT_EQ(set.has(key), twin.contains(key));
    }
    std::multiset<std::uint64_t> visited;
    set.for_each([&](std::uint64_t key) { visited.insert(key); });
    EXPECT_TRUE(std::equal(visited.begin(), visited.end(), twin.begin(), twin.end()));
  }
}

}  // namespace
}  // namespace akin
