#include "base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace akin {
namespace {

// Stored in every index: these values must never change without kHashVersion.
TEST(Hash, ValuesAreFixedForEver) {
  EXPECT_EQ(kHashVersion, 11U);
  EXPECT_EQ(mix64(1), 0x5692161d100b05e5U);
  EXPECT_EQ(spelling_key(U""), mix64(0x6a09e667f3bcc908U));
  EXPECT_EQ(spelling_key(U"слово"), 0xaf775adc838a4afdU);
  EXPECT_EQ(word_hash(U"слово"), 0xebd9355df05f339bU);
}

TEST(Hash, KeyGrowsLetterByLetter) {
  SpellingHash hash;
  for (const char32_t c : std::u32string_view(U"слово")) hash.add(c);
  EXPECT_EQ(hash.value(), spelling_key(U"слово"));
}

TEST(Hash, WordHashIsNotTheKey) { EXPECT_NE(word_hash(U"слово"), spelling_key(U"слово")); }

TEST(Hash, OneBitChangesAboutHalfOfTheResult) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const int changed =
        std::popcount(mix64(0x0123456789abcdefU) ^ mix64(0x0123456789abcdefU ^ (std::uint64_t{1} << bit)));
    EXPECT_GT(changed, 12) << bit;
    EXPECT_LT(changed, 52) << bit;
  }
}

}  // namespace
}  // namespace akin
