#include "base/utf8.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "base/utf8_blocks.h"
#include "tests/support/cpu_levels.h"

namespace akin {
namespace {

using namespace std::string_view_literals;

TEST(Utf8, AcceptsEveryLengthUpToTheLastCodePoint) {
  EXPECT_TRUE(validate_utf8("", "text").has_value());
  EXPECT_TRUE(validate_utf8("a\0b"sv, "text").has_value());
  EXPECT_TRUE(validate_utf8("aя漢\U0010ffff", "text").has_value());
  EXPECT_TRUE(validate_utf8("\xed\x9f\xbf\xee\x80\x80", "text").has_value());
}

TEST(Utf8, RefusesWhatIsNotWellFormedAndSaysWhere) {
  const struct {
    std::string_view bytes;
    std::string_view where;
  } rows[] = {
      {"\x80", "byte 0 (line 1, byte 0x80)"},        // continuation alone
      {"ab\xff", "byte 2 (line 1, byte 0xFF)"},      // never in UTF-8
      {"\xc0\xaf", "byte 0"},                        // overlong
      {"\xe0\x80\xaf", "byte 0"},                    // overlong
      {"\xf0\x8f\xbf\xbf", "byte 0"},                // overlong
      {"\xed\xa0\x80", "byte 0"},                    // surrogate
      {"\xf4\x90\x80\x80", "byte 0"},                // over U+10FFFF
      {"a\nb\n\xd0", "byte 4 (line 3, byte 0xD0)"},  // cut short
      {"\xe2\x82", "byte 0"},                        // cut short
      {"\xf0\x9f\x98", "byte 0"},                    // cut short
      {"\xd0\xd0\xb0", "byte 0"},                    // lead without continuation
  };
  for (const auto& row : rows) {
    const auto result = validate_utf8(row.bytes, "letter.txt");
    ASSERT_TRUE(result.has_error()) << row.where;
    EXPECT_EQ(result.error().code, Errc::invalid_utf8);
    EXPECT_EQ(result.error().what, "letter.txt");
    EXPECT_NE(result.error().reason.find(row.where), std::string::npos) << result.error().reason;
    EXPECT_FALSE(result.error().remedy.empty());
  }
}

TEST(Utf8, RefusesEveryProperPrefixOfACharacter) {
  const std::string character = "\U0001f600";
  for (std::size_t size = 1; size < character.size(); ++size) {
    for (const std::string& before :
         {std::string(), std::string("plain ASCII text that is longer than a word"), std::string("я")}) {
      EXPECT_TRUE(validate_utf8(before + character.substr(0, size), "text").has_error()) << size;
    }
  }
}

/// Decides alone, character by character, by table 3-7 of the Unicode standard.
bool is_well_formed(std::string_view bytes) {
  struct Row {
    unsigned first_begin, first_end, second_begin, second_end;
    std::size_t length;
  };
  constexpr Row kRows[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                           {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                           {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                           {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  const auto byte = [&](std::size_t at) {
    return static_cast<unsigned>(static_cast<unsigned char>(bytes[at]));
  };
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t length = byte(at) < 0x80 ? 1 : 0;
    for (const Row& row : kRows) {
      if (byte(at) < row.first_begin || byte(at) > row.first_end || at + row.length > bytes.size()) continue;
      bool fits = byte(at + 1) >= row.second_begin && byte(at + 1) <= row.second_end;
      for (std::size_t i = 2; i < row.length; ++i) fits = fits && (byte(at + i) & 0xc0U) == 0x80U;
      if (fits) length = row.length;
    }
    if (length == 0) return false;
    at += length;
  }
  return true;
}

using Utf8Forms = OnCpuLevel;
INSTANTIATE_TEST_SUITE_P(Each, Utf8Forms, testing::Values(CpuLevel::baseline, CpuLevel::v3),
                         NameOfCpuLevel());

TEST_P(Utf8Forms, JudgeBlocksAsTheTableOfTheStandardDoes) {
  std::mt19937 random(3);
  const std::string_view pieces[] = {"a", " ", "\n", "я", "ё", "漢", "\ue000", "\U0001f600", "\U0010ffff"};
  std::size_t refused = 0;
  for (unsigned round = 0; round < 20'000; ++round) {
    std::string text;
    while (text.size() < 40 + round % 200) text += pieces[random() % std::size(pieces)];
    for (auto changes = random() % 3; changes > 0; --changes)
      text[random() % text.size()] = static_cast<char>(random());
    const bool good = is_well_formed(text);
    refused += good ? 0 : 1;
    ASSERT_EQ(validate_utf8(text, "text").has_value(), good) << round;
    ASSERT_TRUE(is_well_formed(std::string_view(text).substr(0, well_formed_prefix(text)))) << round;
  }
  EXPECT_GT(refused, 5'000U);
}

TEST_P(Utf8Forms, CountCodePointsOfTextsOfAnyLength) {
  std::mt19937 random(4);
  const std::string_view pieces[] = {"a", " ", "я", "漢", "\U0001f600"};
  for (unsigned round = 0; round < 2'000; ++round) {
    std::string text;
    const std::size_t count = round % 150;
    for (std::size_t i = 0; i < count; ++i) text += pieces[random() % std::size(pieces)];
    ASSERT_EQ(count_code_points(text), count) << text;
  }
}

TEST(Utf8, CountsAndSlicesCodePoints) {
  const std::string_view text = "aя漢\U0001f600z";
  EXPECT_EQ(count_code_points(text), 5U);
  EXPECT_EQ(slice_code_points(text, 1, 3), "я漢");
  EXPECT_EQ(slice_code_points(text, 3, 99), "\U0001f600z");
  EXPECT_EQ(slice_code_points(text, 9, 12), "");
  EXPECT_EQ(slice_code_points(text, 3, 2), "");
}

TEST(Utf8, ConvertsThereAndBack) {
  const std::u32string letters = U"aя漢\U0001f600\U0010ffff";
  EXPECT_EQ(to_utf32(to_utf8(letters)), letters);
  std::string one;
  append_utf8(one, U'я');
  std::size_t at = 0;
  EXPECT_EQ(next_code_point(one, at), U'я');
  EXPECT_EQ(at, one.size());
}

}  // namespace
}  // namespace akin
