// Bit-sliced sums beside a plain array.
#include "index/overlap/overlap_planes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/codec/encoding.h"
#include "tests/support/sequences.h"

namespace akin::test {
namespace {

using Sums = std::vector<std::uint32_t>;

/// A list of some documents, most with x = 1, added as postings or as a bitmap; `sums` gets the same.
void add_random_list(RandomValues& random, bool as_bitmap, OverlapPlanes& planes, Sums& sums) {
  constexpr std::uint32_t kMostX = 9;
  const std::uint64_t one_in = 1 + random.below(5);
  planes.begin_list(kMostX);
  std::vector<std::uint64_t> words((sums.size() + OverlapPlanes::kGroup - 1) / OverlapPlanes::kGroup *
                                   OverlapPlanes::kGroupWords);
  for (std::uint32_t document = 0; document < sums.size(); ++document) {
    if (random.below(one_in) != 0) continue;
    const std::uint32_t x = random.below(10) == 0 ? 1 + static_cast<std::uint32_t>(random.below(kMostX)) : 1;
    sums[document] += x;
    words[document / 64] |= std::uint64_t{1} << (document % 64);
    if (!as_bitmap) {
      ASSERT_TRUE(planes.add(DocNumber{document}, x));
    } else if (x > 1) {
      ASSERT_TRUE(planes.add_to_bit(DocNumber{document}, x - 1));
    }
  }
  std::string bits;
  for (const std::uint64_t word : words) append_u64(bits, word);
  const auto count = static_cast<std::uint32_t>(words.size());
  if (as_bitmap) {
    ASSERT_TRUE(planes.add_bits(0, bits.data(), count));
  }
  planes.end_list();
}

class OverlapPlanesOf : public testing::TestWithParam<std::uint32_t> {};

TEST_P(OverlapPlanesOf, RandomListsAreTheirSums) {
  RandomValues random(GetParam(), 10, 1);
  for (const int lists : {1, 2, 7, 40}) {
    Sums sums(GetParam());
    OverlapPlanes planes(sums.size(), 9U * 40);
    for (int i = 0; i < lists; ++i) add_random_list(random, random.below(2) == 0, planes, sums);
    for (std::uint32_t document = 0; document < sums.size(); ++document) {
      ASSERT_EQ(planes.sum(DocNumber{document}), sums[document]);
    }
    for (const std::uint32_t least : {1U, 2U, 3U, 8U, 20U, 100U, 361U}) {
      std::vector<std::uint32_t> found, wanted;
      planes.for_each_at_least(
          least, [&](DocNumber document) { found.push_back(static_cast<std::uint32_t>(document)); });
      for (std::uint32_t document = 0; document < sums.size(); ++document)
        if (sums[document] >= least) wanted.push_back(document);
      ASSERT_EQ(found, wanted) << least;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, OverlapPlanesOf, testing::Values(1, 63, 64, 511, 512, 513, 5000));

TEST(OverlapPlanes, RefuseDocumentsThatWereNeverGivenOut) {
  OverlapPlanes planes(600, 3);
  planes.begin_list(1);
  const std::string bits(std::size_t{OverlapPlanes::kGroupWords} * 8, '\0');
  EXPECT_TRUE(planes.add(DocNumber{599}, 1));
  EXPECT_FALSE(planes.add(DocNumber{600}, 1));
  EXPECT_FALSE(planes.add_to_bit(DocNumber{600}, 1));
  EXPECT_TRUE(planes.add_bits(512, bits.data(), OverlapPlanes::kGroupWords));
  EXPECT_FALSE(planes.add_bits(1024, bits.data(), OverlapPlanes::kGroupWords));
  EXPECT_FALSE(planes.add_bits(64, bits.data(), OverlapPlanes::kGroupWords));
}

}  // namespace
}  // namespace akin::test
