#include "morph/align/seeds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "base/hash.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

using WordList = std::vector<std::uint64_t>;

WordList random_seed_words(std::size_t size, std::uint64_t alphabet, std::mt19937& random) {
  WordList words(size);
  for (std::uint64_t& word : words) word = mix64(random() % alphabet);
  return words;
}

/// Whether B may have a passage near a seed of A, of five words in a row unless a shape is given; seeds begin
/// at `places`. Reading B and looking the seeds up in its grams give the same.
bool near_passage(const WordList& a, const std::vector<std::uint32_t>& places, const WordList& b,
                  std::uint64_t shape = shape_in_a_row(5)) {
  const AlignOptions options;
  std::vector<std::uint32_t> numbers(b.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  const Seeds seeds(a, places, shape);
  const GramTable grams(a, options.seed, options.ordered);
  const ClassFilter classes(a);
  const NumberedWords words(b, numbers);
  const GramPlaces b_grams(words, shape);
  const bool near = seeds.near_passage({grams, classes}, words, nullptr, options);
  EXPECT_EQ(seeds.near_passage({grams, classes}, words, &b_grams, options), near);
  return near;
}

void copy(const WordList& from, std::size_t at, std::size_t count, WordList& to, std::size_t place) {
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(at), count,
              to.begin() + static_cast<std::ptrdiff_t>(place));
}

TEST(Seeds, LeaveNoTextOutThatHasARunWithOne) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const WordList a = random_seed_words(500, round % 2 == 0 ? 40 : 4'000, random);
    WordList b = random_seed_words(300, 4'000, random);
    const auto at = static_cast<std::uint32_t>(random() % 488),
               place = static_cast<std::uint32_t>(random() % 288);
    copy(a, at, 12, b, place);
    EXPECT_TRUE(near_passage(a, {at + static_cast<std::uint32_t>(random() % 8)}, b)) << round;
  }
}

TEST(Seeds, LeaveOutWhatSharesASeedAndFewOtherWordsNearIt) {
  std::mt19937 random(2);
  const WordList a = random_seed_words(500, 4'000, random);
  WordList b = random_seed_words(300, 4'000, random);
  copy(a, 200, 5, b, 100);
  EXPECT_FALSE(near_passage(a, {200}, b));
  // Seven words more, sixty words after the seed in B and right after it in A, or the other way round.
  copy(a, 205, 7, b, 180);
  EXPECT_FALSE(near_passage(a, {200}, b));
  copy(a, 205, 7, b, 140);
  EXPECT_TRUE(near_passage(a, {200}, b));
}

TEST(Seeds, OfAShapeAreSharedWhateverStandsInItsGaps) {
  std::mt19937 random(6);
  constexpr std::uint64_t kShape = 0b101011;
  const WordList a = random_seed_words(500, 4'000, random);
  WordList b = random_seed_words(300, 4'000, random);
  copy(a, 200, 30, b, 62);
  for (const std::uint32_t place : {63U, 65U, 70U, 80U}) b[place] = mix64(place);
  EXPECT_TRUE(near_passage(a, {200}, b, kShape));
  EXPECT_FALSE(near_passage(a, {200}, b));
  b[64] = mix64(64);
  EXPECT_FALSE(near_passage(a, {200}, b, kShape));
}

TEST(Seeds, OfNoneNothingIsNear) {
  std::mt19937 random(3);
  const WordList a = random_seed_words(100, 4'000, random);
  EXPECT_FALSE(near_passage(a, {}, a));
  EXPECT_TRUE(near_passage(a, {10}, a));
  EXPECT_FALSE(near_passage(a, {10}, {}));
}

TEST(Seeds, ThatRepeatOftenAreNotLookedAtForEver) {
  std::mt19937 random(4);
  for (const std::size_t times : {10U, 30U}) {
    WordList a, b;
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < times; ++i) {
      for (WordList* const one : {&a, &b}) {
        if (one == &a) places.push_back(static_cast<std::uint32_t>(a.size()));
        one->insert(one->end(), 5, mix64(7));
        const WordList own = random_seed_words(130, std::uint64_t{1} << 60U, random);
        one->insert(one->end(), own.begin(), own.end());
      }
    }
    EXPECT_EQ(near_passage(a, places, b), times * times > Seeds::kMostLooks);
  }
}

}  // namespace
}  // namespace akin
