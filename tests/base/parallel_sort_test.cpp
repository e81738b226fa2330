#include "base/parallel_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>

namespace akin {
namespace {

TEST(SortOnAllCores, SortsAnyNumberOfItemsAsOneThreadDoes) {
  std::mt19937_64 random(7);
  for (const std::size_t size : {0U, 1U, 2U, 3U, 7U, 64U, 1000U, 100'003U}) {
    std::vector<std::uint64_t> items(size);
    for (std::uint64_t& item : items) item = random() % (2 * size);
    std::vector<std::uint64_t> expected = items;
    std::sort(expected.begin(), expected.end(), std::greater<>());
    sort_on_all_cores(items, std::greater<>());
    EXPECT_EQ(items, expected) << size;
  }
}

}  // namespace
}  // namespace akin
