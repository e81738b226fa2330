#include "index/search/run_bits.h"

#include <gtest/gtest.h>

namespace akin {
namespace {

using Runs = std::vector<WordRange>;

TEST(RunBits, ARunHasTheBitsOfItsShareOfTheDocuments) {
  RunBits bits(8);
  bits.add(Runs{{0, 4}});
  bits.add(Runs{{0, 4}});
  EXPECT_DOUBLE_EQ(bits.most(Runs{{0, 4}}, 8), 2.0);
}

TEST(RunBits, DocumentsWithALongerRunHaveItsPartsToo) {
  RunBits bits(8);
  bits.add(Runs{{0, 8}});
  bits.add(Runs{{2, 6}});
  EXPECT_DOUBLE_EQ(bits.most(Runs{{0, 8}}, 8), 3.0);
  EXPECT_DOUBLE_EQ(bits.most(Runs{{2, 6}}, 8), 2.0);
}

TEST(RunBits, OfSeveralRunsTheMostImprobableCounts) {
  RunBits bits(9);
  bits.add(Runs{{0, 4}, {5, 9}});
  bits.add(Runs{{0, 4}});
  EXPECT_DOUBLE_EQ(bits.most(Runs{{0, 4}, {5, 9}}, 4), 2.0);
}

}  // namespace
}  // namespace akin
