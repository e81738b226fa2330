#include "morph/align/dense_segments.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace akin {
namespace {

using Marked = std::vector<WordRange>;

TEST(DenseSegments, MarkedRangesJoinOverGapsThatAreShorterThanBothSides) {
  EXPECT_EQ(dense_segments(Marked{{0, 4}, {7, 11}}, 50), (Marked{{0, 11}}));
  EXPECT_EQ(dense_segments(Marked{{0, 4}, {8, 12}}, 50), (Marked{{0, 4}, {8, 12}}));
  EXPECT_EQ(dense_segments(Marked{{0, 100}, {104, 107}}, 50), (Marked{{0, 100}, {104, 107}}));
}

TEST(DenseSegments, SmallRangesJoinTogetherWhatEachOfThemCouldNot) {
  EXPECT_EQ(dense_segments(Marked{{0, 4}, {6, 9}, {11, 15}}, 50), (Marked{{0, 15}}));
  EXPECT_EQ(dense_segments(Marked{{5, 9}, {14, 16}, {17, 19}, {20, 22}}, 50), (Marked{{5, 9}, {14, 22}}));
}

TEST(DenseSegments, WithoutADensityEverythingIsOneSegment) {
  EXPECT_EQ(dense_segments(Marked{{0, 1}, {1'000, 1'001}, {9'000, 9'001}}, 0), (Marked{{0, 9'001}}));
  EXPECT_TRUE(dense_segments({}, 50).empty());
}

/// The definition of Ruzzo and Tompa: the part of the line that scores most (the shortest of several), then
/// the same to the left and to the right of it.
void most_first(std::span<const WordRange> marked, std::int64_t percent, Marked& out) {
  if (marked.empty()) return;
  std::int64_t most = 0;
  std::size_t first = 0, last = 0;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    std::int64_t score = 0;
    for (std::size_t j = i; j < marked.size(); ++j) {
      if (j > i) score -= percent * (marked[j].begin - marked[j - 1].end);
      score += (100 - percent) * marked[j].size();
      if (score > most || (score == most && j - i < last - first)) {
        most = score;
        first = i;
        last = j;
      }
    }
  }
  most_first(marked.first(first), percent, out);
  out.push_back({marked[first].begin, marked[last].end});
  most_first(marked.subspan(last + 1), percent, out);
}

TEST(DenseSegments, AreThoseOfTheDefinitionOnRandomLines) {
  std::mt19937 random(16);
  for (int round = 0; round < 5'000; ++round) {
    Marked marked;
    std::uint32_t at = 0;
    for (auto count = random() % 12; count > 0; --count) {
      const auto begin = at + 1 + static_cast<std::uint32_t>(random() % 6);
      at = begin + 1 + static_cast<std::uint32_t>(random() % 6);
      marked.push_back({begin, at});
    }
    const auto percent = static_cast<unsigned>(random() % 100);
    Marked expected;
    most_first(marked, percent, expected);
    ASSERT_EQ(dense_segments(marked, percent), expected) << percent;
  }
}

}  // namespace
}  // namespace akin
