#include "cli/dedup/key_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace akin::dedup {
namespace {

std::vector<std::uint32_t> list(const KeyLists& lists, std::size_t list) {
  std::vector<std::uint32_t> numbers;
  lists.for_each(list, [&](std::uint32_t number) { numbers.push_back(number); });
  std::ranges::sort(numbers);
  return numbers;
}

TEST(KeyListsTest, HaveTheNumbersThatWereAdded) {
  constexpr std::uint32_t kKeys = 300, kNumbers = 200;
  std::mt19937 random(6);
  std::uniform_int_distribution<std::uint32_t> draw(1, kKeys);
  std::map<std::size_t, std::vector<std::uint32_t>> expected;
  KeyLists lists;
  for (std::uint32_t number = 0; number < kNumbers; ++number) {
    for (std::uint32_t i = 0; i < kKeys / 2; ++i) {
      const std::size_t at = KeyLists::list_of(draw(random) * 0x10001U);
      lists.add(at, number);
      std::vector<std::uint32_t>& numbers = expected[at];
      if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    }
  }
  ASSERT_FALSE(expected.empty());
  for (const auto& [at, numbers] : expected) {
    EXPECT_EQ(lists.size(at), numbers.size());
    EXPECT_EQ(list(lists, at), numbers);
  }
}

TEST(KeyListsTest, AreEmptyAtFirstAndWhenCleared) {
  KeyLists lists;
  EXPECT_EQ(lists.size(1), 0U);
  EXPECT_EQ(list(lists, 1), std::vector<std::uint32_t>());
  lists.add(1, 7);
  lists.clear();
  EXPECT_EQ(lists.size(1), 0U);
  EXPECT_EQ(lists.bytes(), 0U);
  lists.add(1, 8);
  EXPECT_EQ(list(lists, 1), std::vector<std::uint32_t>{8});
}

}  // namespace
}  // namespace akin::dedup
