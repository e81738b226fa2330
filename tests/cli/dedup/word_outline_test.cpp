#include "cli/dedup/word_outline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace akin::test {
namespace {

using dedup::SentencedWords;
using dedup::WordOutline;

/// A text of one sentence.
SentencedWords sentence(std::vector<std::uint64_t> classes) {
  SentencedWords text;
  std::uint64_t sum = 0;
  for (const std::uint64_t one : classes) sum += one;
  text.sentences.push_back({sum, {0, static_cast<std::uint32_t>(classes.size())}});
  text.words.classes = std::move(classes);
  return text;
}

TEST(WordOutlineTest, BoundsTheWordsOfRunsAndOfEqualSentences) {
  std::mt19937_64 random(4);
  std::vector<std::uint64_t> words(400);
  for (std::uint64_t& one : words) one = random();
  const WordOutline whole(sentence(words));
  std::vector<std::uint64_t> shuffled = words;
  std::ranges::shuffle(shuffled, random);
  EXPECT_EQ(WordOutline(sentence(shuffled)).at_most_in(whole), words.size());

  shuffled.push_back(random());  // the sentence is another one
  EXPECT_LT(WordOutline(sentence(shuffled)).at_most_in(whole), words.size() / 20);
  std::copy_n(words.begin() + 100, 200, shuffled.begin() + 50);
  const std::size_t most = WordOutline(sentence(shuffled)).at_most_in(whole);
  EXPECT_GE(most, 200U);
  EXPECT_LT(most, 220U);
}

TEST(WordOutlineTest, LeavesOutChangedWordsAmongSharedOnes) {
  constexpr std::size_t kWords = 600, kEvery = 6;
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> words(kWords);
  for (std::uint64_t& one : words) one = random();
  WordOutline whole(sentence(words));
  for (std::size_t at = 0; at < kWords; at += kEvery) words[at] = random();
  const WordOutline changed(sentence(words));
  const std::size_t most = changed.at_most_in(whole);
  EXPECT_GE(most, kWords - kWords / kEvery);
  EXPECT_LT(most, kWords - kWords / kEvery + kWords / kEvery / 4);

  constexpr std::size_t kForgotten = sizeof(std::uint32_t) + sizeof(WordRange);  // of each word
  const std::size_t before = whole.bytes();
  whole.forget_words();
  EXPECT_LT(whole.bytes(), before - kForgotten * (kWords - 10));
  EXPECT_EQ(changed.at_most_in(whole), most);
}

}  // namespace
}  // namespace akin::test
