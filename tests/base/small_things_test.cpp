// Letters, lists, digits, bytes and sets, as many folders use them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/bytes.h"
#include "base/disjoint_sets.h"
#include "base/hex.h"
#include "base/sha256.h"

namespace akin::test {
namespace {

using testing::ElementsAre;

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Ascii, LowersTheLettersAToZAlone) {
  EXPECT_EQ(ascii_lower("AZaz@[\xc3\x84"), "azaz@[\xc3\x84");
  EXPECT_TRUE(equals_ignoring_case("Content-Type", "content-type"));
  EXPECT_FALSE(equals_ignoring_case("Content-Type", "content-typ"));
}

TEST(Ascii, TrimsSpacesAndTabs) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
}

TEST(Ascii, SplitsIntoOnePartMoreThanThereAreSeparators) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split(",", ','), ElementsAre("", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Hex, OfBytesIsReadBack) {
  EXPECT_EQ(hex_of(std::string_view("\x00\xff\x1a", 3)), "00ff1a");
  EXPECT_EQ(bytes_of_hex("00ff1a"), std::string("\x00\xff\x1a", 3));
  EXPECT_EQ(bytes_of_hex("0"), std::nullopt);
  EXPECT_EQ(bytes_of_hex("0G"), std::nullopt);
  EXPECT_EQ(bytes_of_hex("FF"), std::nullopt);
}

TEST(Bytes, HaveTheOrderAskedFor) {
  std::string bytes;
  append_u32(bytes, 0x01020304);
  append_u32_big_endian(bytes, 0x01020304);
  append_u16(bytes, 0x0102);
  EXPECT_EQ(hex_of(bytes), "04030201010203040201");
  EXPECT_EQ(load_u32(bytes.data()), 0x01020304U);
  EXPECT_EQ(load_big_endian<std::int32_t>(bytes.data() + 4), 0x01020304);
  EXPECT_EQ(load_u16(bytes.data() + 8), 0x0102U);
}

TEST(DisjointSetsTest, HaveTheirLeastNumberAsRootInWhateverOrderTheyAreJoined) {
  DisjointSets sets(6);
  sets.join(5, 3);
  sets.join(4, 5);
  sets.join(3, 1);
  for (const std::uint32_t number : {1U, 3U, 4U, 5U}) EXPECT_EQ(sets.root(number), 1U);
  EXPECT_EQ(sets.root(0), 0U);
  EXPECT_EQ(sets.root(2), 2U);
}

}  // namespace
}  // namespace akin::test
