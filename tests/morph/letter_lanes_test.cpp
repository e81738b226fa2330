// Letters that are folded eight at a time, beside the table of characters.
#include "morph/text/letter_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

using Fold = unsigned (*)(const unsigned char*, char32_t*) noexcept;

/// The letters that `text`, padded with blanks, begins with.
std::u32string folded(Fold fold, std::string text) {
  text.resize(std::max<std::size_t>(text.size(), kLetterLaneBytes), ' ');
  std::array<char32_t, kLetterLanes> letters{};
  const unsigned count = fold(reinterpret_cast<const unsigned char*>(text.data()), letters.data());
  EXPECT_LE(count, kLetterLanes);
  return {letters.data(), count};
}

/// Every character alone: either left to others, or folded as the table says.
void expect_table(Fold fold, std::uint8_t script, std::size_t letters) {
  std::size_t folded_ones = 0;
  for (char32_t c = 1; c < 0x10000; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    std::string text;
    append_utf8(text, c);
    const std::u32string found = folded(fold, text);
    if (found.empty()) continue;
    ++folded_ones;
    const CharInfo info = CharTable::instance()[c];
    ASSERT_TRUE(info.is_plain_letter()) << static_cast<std::uint32_t>(c);
    ASSERT_EQ(info.scripts(), script) << static_cast<std::uint32_t>(c);
    ASSERT_EQ(found, std::u32string(1, info.folded())) << static_cast<std::uint32_t>(c);
  }
  EXPECT_EQ(folded_ones, letters);
}

TEST(LetterLanes, FoldLatinAsTheTableSays) { expect_table(fold_latin_letters, kLatin, 52); }
TEST(LetterLanes, FoldCyrillicAsTheTableSays) { expect_table(fold_cyrillic_letters, kCyrillic, 92); }

TEST(LetterLanes, EndAtTheFirstOtherCharacter) {
  EXPECT_EQ(folded(fold_latin_letters, "AbcdeFGH"), U"abcdefgh");
  EXPECT_EQ(folded(fold_latin_letters, "abc'defg"), U"abc");
  EXPECT_EQ(folded(fold_latin_letters, "abcdéfgh"), U"abcd");
  EXPECT_EQ(folded(fold_latin_letters, "7abcdefg"), U"");
  EXPECT_EQ(folded(fold_cyrillic_letters, "ЁлкиПалк"), U"елкипалк");
  EXPECT_EQ(folded(fold_cyrillic_letters, "Київ йод"), U"київ");
  EXPECT_EQ(folded(fold_cyrillic_letters, "кот-кот "), U"кот");
  EXPECT_EQ(folded(fold_cyrillic_letters, "аѝбвгдеж"), U"а");
  EXPECT_EQ(folded(fold_cyrillic_letters, "абвhгдеж"), U"абв");
}

}  // namespace
}  // namespace akin
