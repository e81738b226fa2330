// What a text has twice: against every pair of places.
#include "server/check/repeats.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace akin::check {
namespace {

/// A word for each letter, at the letter's place.
WordSequence words_of(std::string_view letters) {
  WordSequence words;
  for (std::uint32_t at = 0; at < letters.size(); ++at) {
    words.classes.push_back(static_cast<std::uint64_t>(letters[at]));
    words.ranges.push_back({at, at + 1});
    words.bytes.push_back({at, at + 1});
  }
  return words;
}

using List = std::vector<Repeat>;

TEST(Repeats, AreWholeRuns) {
  EXPECT_EQ(find_repeats(words_of("abcdef-xabcdefy"), 4), (List{{{0, 6}, {8, 14}, 6}}));
}

TEST(Repeats, ShorterThanTheLeastAreNone) {
  EXPECT_EQ(find_repeats(words_of("abc-abc"), 4), List());
  EXPECT_EQ(find_repeats(words_of("abc"), 4), List());
  EXPECT_EQ(find_repeats(words_of(""), 1), List());
}

TEST(Repeats, EachPlaceIsComparedWithTheEarliest) {
  EXPECT_EQ(find_repeats(words_of("abcd1abcd2abcd"), 4), (List{{{0, 4}, {5, 9}, 4}, {{0, 4}, {10, 14}, 4}}));
}

TEST(Repeats, DoNotOverlapTheirFirstPlace) {
  EXPECT_EQ(find_repeats(words_of("aaaaaaaaa"), 4), (List{{{0, 4}, {4, 8}, 4}, {{0, 4}, {5, 9}, 4}}));
}

TEST(Repeats, OfEveryWordAreFoundInRandomTexts) {
  std::mt19937 random(20'261'128);
  constexpr std::size_t kLeast = 5;
  for (int round = 0; round < 300; ++round) {
    std::string text;
    while (text.size() < 120) text += static_cast<char>('a' + random() % 2);
    std::vector<bool> repeated(text.size()), found(text.size());
    for (std::size_t at = 0; at + kLeast <= text.size(); ++at) {
      const std::size_t first = text.find(text.substr(at, kLeast));
      if (first + kLeast > at) continue;  // the place itself, or one that it overlaps
      for (std::size_t i = at; i < at + kLeast; ++i) repeated[i] = true;
    }
    for (const Repeat& one : find_repeats(words_of(text), kLeast)) {
      EXPECT_EQ(text.substr(one.first.begin, one.words), text.substr(one.again.begin, one.words));
      EXPECT_LE(one.first.end, one.again.begin);
      EXPECT_GE(one.words, kLeast);
      for (std::size_t i = one.again.begin; i < one.again.end; ++i) found[i] = true;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      EXPECT_TRUE(found[i] || !repeated[i]) << text << " at " << i;
    }
  }
}

}  // namespace
}  // namespace akin::check
