#include "index/overlap/overlap.h"

#include <gtest/gtest.h>

#include "tests/support/sequences.h"

namespace akin::test {
namespace {

Overlap overlap_of(const Values& a, const Values& b) {
  return overlap(make_sequence(a).hashes, make_sequence(b).hashes);
}

TEST(Overlap, CountsEachValueAsOftenAsBothHaveIt) {
  EXPECT_EQ(overlap_of({1, 1, 1, 2, 3}, {1, 1, 3, 3, 4}).x, 3U);
}

TEST(Overlap, WithItselfIsExactlyOne) {
  const Overlap self = overlap_of({7, 7, 8, 9, 9, 9, 1}, {7, 7, 8, 9, 9, 9, 1});
  EXPECT_EQ(self.containment(), 1.0);
  EXPECT_EQ(self.contained(), 1.0);
  EXPECT_EQ(self.resemblance(), 1.0);
  EXPECT_EQ(self.sorensen(), 1.0);
}

TEST(Overlap, OfAnEmptyDocumentIsZeroInEveryMeasure) {
  const Overlap empty = overlap_of({}, {});
  EXPECT_EQ(empty.x, 0U);
  EXPECT_EQ(empty.containment() + empty.contained() + empty.resemblance() + empty.sorensen(), 0.0);
}

TEST(Overlap, MeasuresFollowTheirFormulas) {
  const Overlap pair{3, 4, 6};
  EXPECT_DOUBLE_EQ(pair.containment(), 3.0 / 4);
  EXPECT_DOUBLE_EQ(pair.contained(), 3.0 / 6);
  EXPECT_DOUBLE_EQ(pair.resemblance(), 3.0 / 7);
  EXPECT_DOUBLE_EQ(pair.sorensen(), 6.0 / 10);
}

TEST(Overlap, EqualsTheDefinitionOnRandomMultisets) {
  for (const std::uint64_t spread : {std::uint64_t{1}, std::uint64_t{0x9e3779b97f4a7c15}}) {
    RandomValues random(17, 50, spread);
    for (int round = 0; round < 500; ++round) {
      const Values a = random.values(80);
      const Values b = random.values(80);
      EXPECT_EQ(overlap_of(a, b).x, naive_x(a, b));
    }
  }
}

}  // namespace
}  // namespace akin::test
