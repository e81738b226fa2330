#include "server/check/letters.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "server/check/lines.h"

namespace akin::check {
namespace {

TEST(Letters, CountsLettersAndDigitsAlone) {
  EXPECT_EQ(Letters("Да, 42 «x»\n—\u200B!").count(), 5U);
  EXPECT_EQ(Letters("").count(), 0U);
}

TEST(Letters, HiddenCharactersCountNothing) { EXPECT_EQ(Letters("a\u200B\u0301\u00ADb").count(), 2U); }

TEST(Letters, RangeCountsCodePoints) {
  const Letters letters("ab, где 7");
  EXPECT_EQ(letters.count({0, 5}), 3U);
  EXPECT_EQ(letters.count({4, 100}), 4U);
  EXPECT_EQ(letters.count({3, 3}), 0U);
}

TEST(Letters, OverlappingRangesCountOnce) {
  const std::vector<TextRange> ranges = {{0, 3}, {1, 2}, {2, 5}, {7, 9}};
  EXPECT_EQ(Letters("abcdefghij").count_union(ranges), 7U);
}

TEST(Letters, WhatIsTakenOutAgreesWithACountByHand) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += random() % 3 == 0 ? ' ' : 'a';
    std::string left = text;
    std::vector<TextRange> ranges;
    for (int i = 0; i < 4; ++i) {
      const auto begin = static_cast<std::uint32_t>(random() % 310);
      const auto end = begin + static_cast<std::uint32_t>(random() % 130);
      ranges.push_back({begin, end});
      for (std::size_t at = begin; at < std::min<std::size_t>(end, left.size()); ++at) left[at] = ' ';
    }
    const Letters rest = Letters(text).without(ranges);
    const auto probe = static_cast<std::uint32_t>(random() % 300);
    ASSERT_EQ(rest.count(), Letters(left).count());
    ASSERT_EQ(rest.count({probe, 300}), Letters(left).count({probe, 300}));
  }
}

TEST(Lines, EveryLineBreakEndsOne) {
  const auto lines = lines_of("a\nb\r\nc\rd\u2028e\u2029\nf");
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[2].text, "c");
  EXPECT_EQ(lines[2].range, (TextRange{5, 6}));
  EXPECT_TRUE(lines[4].ends_paragraph);
  EXPECT_TRUE(lines[5].blank);
  EXPECT_EQ(lines[6].text, "f");
}

}  // namespace
}  // namespace akin::check
