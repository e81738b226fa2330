// Passages under twelve words: exact runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "morph/align/align.h"

namespace akin {
namespace {

WordSequence sequence_of(std::vector<std::uint64_t> classes) {
  WordSequence words;
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    words.ranges.push_back({2 * i, 2 * i + 1});
    words.bytes.push_back({2 * i, 2 * i + 1});
  }
  words.classes = std::move(classes);
  return words;
}

std::size_t passages(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
                     unsigned words) {
  const WordSequence first = sequence_of(a), second = sequence_of(b);
  return Aligner(first, AlignOptions::for_words(words)).align(second).passages.size();
}

/// The longest run that two texts share from these words on.
std::size_t run_from(const std::vector<std::uint64_t>& a, std::size_t i, const std::vector<std::uint64_t>& b,
                     std::size_t j) {
  std::size_t length = 0;
  while (i + length < a.size() && j + length < b.size() && a[i + length] == b[j + length]) ++length;
  return length;
}

TEST(Runs, ARunOfAsManyWordsIsAPassageAndAShorterOneIsNot) {
  EXPECT_EQ(passages({1, 2, 3, 4, 5}, {9, 2, 3, 4, 5, 8}, 4), 1U);
  EXPECT_EQ(passages({1, 2, 3, 4, 5}, {9, 2, 3, 4, 5, 8}, 5), 0U);
}

TEST(Runs, ExchangedWordsAreNoRun) { EXPECT_EQ(passages({1, 2, 3, 4, 5}, {9, 2, 4, 3, 5, 8}, 4), 0U); }

TEST(Runs, FewScatteredWordsAreNoPassage) {
  EXPECT_EQ(passages({1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 9, 5, 6, 7}, 4), 0U);
}

TEST(Runs, TwelveScatteredWordsStayAPassage) {
  const std::vector<std::uint64_t> a = {1, 2, 3, 20, 4, 5, 6, 21, 7, 8, 9, 22, 10, 11, 12};
  const std::vector<std::uint64_t> b = {1, 2, 3, 30, 4, 5, 6, 31, 7, 8, 9, 32, 10, 11, 12};
  EXPECT_EQ(passages(a, b, 12), 1U);
  EXPECT_EQ(passages(a, b, 6), 1U);
}

TEST(Runs, LongerPassagesAreAskedForByTheirMatchedWords) {
  std::vector<std::uint64_t> a(30);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = i + 1;
  EXPECT_EQ(passages(a, a, 30), 1U);
  EXPECT_EQ(passages(a, a, 31), 0U);
}

TEST(Runs, EachWordOfEachRunIsMatchedAndEachShortPassageHasOne) {
  std::mt19937 random(31);
  for (int round = 0; round < 3'000; ++round) {
    const std::uint64_t alphabet = 2 + random() % 30;
    std::vector<std::uint64_t> a(1 + random() % 40), b(1 + random() % 60);
    for (auto* text : {&a, &b})
      for (std::uint64_t& one : *text) one = 1 + random() % alphabet;
    const auto least = static_cast<unsigned>(4 + random() % 8);
    const WordSequence first = sequence_of(a), second = sequence_of(b);
    const Alignment found = Aligner(first, AlignOptions::for_words(least)).align(second);
    std::vector<bool> matched(a.size());
    for (const AlignedPassage& passage : found.passages) {
      bool has_run = false;
      for (const Fragment& one : passage.fragments) {
        for (std::uint32_t at = 0; at < one.length; ++at) {
          matched[one.a + at] = true;
          has_run = has_run || run_from(a, one.a + at, b, one.b + at) >= least;
        }
      }
      EXPECT_TRUE(has_run || std::min(passage.a_matched, passage.b_matched) >= 12) << round;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        const std::size_t length = run_from(a, i, b, j);
        for (std::size_t at = 0; length >= least && at < length; ++at) ASSERT_TRUE(matched[i + at]) << round;
      }
    }
  }
}

}  // namespace
}  // namespace akin
