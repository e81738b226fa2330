// Which texts are one work, by their grams.
#include "morph/align/gram_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/hash.h"

namespace akin {
namespace {

/// Words numbered from `first` on, each another class.
struct Words {
  Words(std::uint32_t first, std::size_t count) : numbers(count) {
    std::iota(numbers.begin(), numbers.end(), first);
  }
  [[nodiscard]] GramSample sample() const {
    std::vector<std::uint64_t> classes(1U + *std::ranges::max_element(numbers));
    for (std::size_t number = 0; number < classes.size(); ++number) classes[number] = mix64(number);
    return GramSample(NumberedWords(classes, numbers));
  }
  std::vector<std::uint32_t> numbers;
};

TEST(GramSample, CountsWhatTheSmallerTextShares) {
  const GramSample whole = Words(0, 4'000).sample();
  EXPECT_TRUE(Words(1'000, 500).sample().shares(1, whole));
  EXPECT_TRUE(whole.shares(1, Words(1'000, 500).sample()));
  // Of 996 grams the first 496 are in both.
  const GramSample half = Words(3'500, 1'000).sample();
  EXPECT_TRUE(half.shares(0.49, whole));
  EXPECT_FALSE(half.shares(0.51, whole));
}

TEST(GramSample, OfTextsWithoutACommonGramSharesNothing) {
  EXPECT_FALSE(Words(0, 400).sample().shares(0, Words(400, 400).sample()));
  EXPECT_FALSE(Words(0, 3).sample().shares(0, Words(0, 3).sample())) << "a gram has five words";
}

TEST(GramSample, TakesWordsInAnyOrder) {
  Words moved(0, 1'000);
  for (std::size_t at = 0; at + 5 <= moved.numbers.size(); at += 5)
    std::reverse(moved.numbers.begin() + static_cast<std::ptrdiff_t>(at),
                 moved.numbers.begin() + static_cast<std::ptrdiff_t>(at) + 5);
  // One gram in five has the same words.
  EXPECT_TRUE(moved.sample().shares(0.19, Words(0, 1'000).sample()));
  EXPECT_FALSE(moved.sample().shares(0.21, Words(0, 1'000).sample()));
}

TEST(GramSample, OfLongTextsEstimatesTheShareFromOneGramInSixteen) {
  constexpr std::size_t kLong = 4 * GramSample::kLongText;
  const GramSample sampled = Words(0, kLong).sample();
  EXPECT_TRUE(sampled.shares(0.45, Words(kLong / 2, kLong).sample()));
  EXPECT_FALSE(sampled.shares(0.55, Words(kLong / 2, kLong).sample()));
  const GramSample whole = Words(kLong - 5'000, 10'000).sample();
  EXPECT_TRUE(whole.shares(0.4, sampled));
  EXPECT_FALSE(whole.shares(0.6, sampled));
}

}  // namespace
}  // namespace akin
