#include "cli/frame/format.h"

#include <gtest/gtest.h>

namespace akin::cli {
namespace {

TEST(Format, PercentIsWholeOnlyForTheWhole) {
  EXPECT_EQ(percent(1.0), "100.0 %");
  EXPECT_EQ(percent(0.99999), "99.9 %");
  EXPECT_EQ(percent(0.975), "97.5 %");
  EXPECT_EQ(percent(0.00001), "< 0.1 %");
  EXPECT_EQ(percent(0.0), "0.0 %");
}

TEST(Format, PercentIsRoundedAsAtTheDesk) {
  EXPECT_EQ(percent(0.0625), "6.3 %");  // exactly 6.25 %
  EXPECT_EQ(percent(0.3125), "31.3 %");
  EXPECT_EQ(percent(0.0007), "0.1 %");
  EXPECT_EQ(percent(0.0004), "< 0.1 %");
}

TEST(Format, ByteCountsTakeTheUnitThatFits) {
  const struct {
    std::uint64_t bytes;
    const char* text;
  } rows[] = {{0, "0 bytes"},        {1, "1 byte"},          {999, "999 bytes"},
              {1000, "1.0 kB"},      {999949, "999.9 kB"},   {999950, "1.0 MB"},
              {65600000, "65.6 MB"}, {4280000000, "4.3 GB"}, {86000000000000, "86.0 TB"}};
  for (const auto& row : rows) EXPECT_EQ(byte_count(row.bytes), row.text);
}

TEST(Format, DigitsAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1255462), "1,255,462");
}

TEST(Format, CountsHaveTheirPlural) {
  EXPECT_EQ(counted(1, "document"), "1 document");
  EXPECT_EQ(counted(0, "document"), "0 documents");
}

TEST(Format, DurationsUseTwoUnits) {
  EXPECT_EQ(duration(std::chrono::seconds(59)), "59 s");
  EXPECT_EQ(duration(std::chrono::seconds(75)), "1 min 15 s");
  EXPECT_EQ(duration(std::chrono::seconds(3660)), "1 h 1 min");
}

TEST(Format, HashesAreSixteenDigits) { EXPECT_EQ(hash_digits(0xabcU), "0000000000000abc"); }

TEST(OneLine, WhiteSpaceRunsBecomeOneSpace) { EXPECT_EQ(one_line(" a\r\n\t b\u00a0c ", 10), "a b c"); }

TEST(OneLine, WhatSteersATerminalIsDropped) {
  EXPECT_EQ(one_line("a\x1b[31mb\u009bc\u202ed", 20), "a[31mbcd");
}

TEST(OneLine, LongTextIsCutAfterCodePoints) {
  EXPECT_EQ(one_line("мама мыла", 4), "мама…");
  EXPECT_EQ(one_line("мама", 4), "мама");
  EXPECT_EQ(one_line("мама ", 4), "мама");
}

TEST(SecondsTaken, HasOneDecimal) {
  EXPECT_EQ(seconds_taken(std::chrono::milliseconds(12'340)), "12.3 s");
  EXPECT_EQ(seconds_taken(std::chrono::milliseconds(4)), "0.0 s");
}

}  // namespace
}  // namespace akin::cli
