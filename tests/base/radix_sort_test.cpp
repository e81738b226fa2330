#include "base/radix_sort.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace akin {
namespace {

struct Item {
  std::uint64_t number = 0;
  std::uint32_t place = 0;
  friend bool operator==(const Item&, const Item&) = default;
};

void expect_sorted_as_std_sorts(const std::function<std::uint64_t(std::size_t)>& number,
                                const std::string& what) {
  for (const std::size_t size : {0U, 1U, 2U, 31U, 32U, 33U, 100U, 1000U, 7001U, 100'003U}) {
    std::vector<Item> items(size);
    for (std::size_t i = 0; i < size; ++i) items[i] = {number(i), static_cast<std::uint32_t>(i)};
    std::vector<Item> expected = items;
    std::ranges::stable_sort(expected, {}, &Item::number);
    radix_sort(std::span(items), [](const Item& item) { return item.number; });
    EXPECT_TRUE(items == expected) << what << ", " << size;
  }
}

TEST(RadixSort, SortsAnyNumbersStably) {
  std::mt19937_64 random(2009);
  expect_sorted_as_std_sorts([&](std::size_t) { return random(); }, "hashes");
  expect_sorted_as_std_sorts([&](std::size_t) { return random() >> 32U; }, "32 bits");
  expect_sorted_as_std_sorts([&](std::size_t) { return random() << 40U; }, "equal low bits");
  expect_sorted_as_std_sorts([&](std::size_t) { return random() % 7; }, "few numbers");
  expect_sorted_as_std_sorts([&](std::size_t) { return random() % 7 * (~std::uint64_t{0} / 7); },
                             "few, spread");
  expect_sorted_as_std_sorts([](std::size_t) { return 42U; }, "one number");
  expect_sorted_as_std_sorts([](std::size_t i) { return i; }, "rising");
  expect_sorted_as_std_sorts([](std::size_t i) { return ~std::uint64_t{i}; }, "falling");
  expect_sorted_as_std_sorts(
      [&](std::size_t i) { return i % 2 == 0 ? random() % 1000 : ~std::uint64_t{0} - random() % 1000; },
      "two heaps");
  expect_sorted_as_std_sorts([&](std::size_t) { return std::uint64_t{1} << random() % 64; }, "one bit each");
}

TEST(RadixSort, SortsNumbersThemselves) {
  std::vector<std::uint64_t> numbers = {3, 1, 2, ~std::uint64_t{0}, 0};
  radix_sort(std::span(numbers), [](std::uint64_t number) { return number; });
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 1, 2, 3, ~std::uint64_t{0}}));
}

}  // namespace
}  // namespace akin
