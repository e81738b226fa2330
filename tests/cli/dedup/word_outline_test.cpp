#include "cli/dedup/word_outline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "index/codec/packed_words.h"

namespace akin::test {
namespace {

TEST(WordOutlineTest, BoundsTheWordsThatAnotherTextHas) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> classes(40'000);
  for (std::uint64_t& one : classes) one = random();
  std::size_t lacking = 0, counted = 0;
  for (const std::size_t size : {0U, 1U, 50U, 400U, 20'000U}) {
    for (const std::size_t other_size : {0U, 1U, 50U, 400U, 20'000U}) {
      const auto draw = [&](std::size_t words) {
        WordSequence drawn;
        const std::size_t different = std::max<std::size_t>(4 * words, 1);
        for (std::size_t i = 0; i < words; ++i) drawn.classes.push_back(classes[random() % different / 2]);
        drawn.ranges.resize(words);
        drawn.bytes.resize(words);
        return drawn;
      };
      const WordSequence one = draw(size), other = draw(other_size);
      const auto exact =
          static_cast<std::size_t>(std::ranges::count_if(one.classes, [&](std::uint64_t of_word) {
            return std::ranges::count(other.classes, of_word) > 0;
          }));
      const dedup::WordOutline outline(PackedWords(one).numbered());
      EXPECT_EQ(outline.size(), size);
      EXPECT_EQ(outline.at_most_in(outline), size);
      const std::size_t most = outline.at_most_in(dedup::WordOutline(PackedWords(other).numbered()));
      EXPECT_GE(most, exact);
      if (other_size > 400) continue;
      lacking += size - exact;
      counted += most - exact;
    }
  }
  EXPECT_LT(counted, lacking / 5);
}

}  // namespace
}  // namespace akin::test
