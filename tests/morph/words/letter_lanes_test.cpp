// Letters that are folded eight at a time, beside the table of characters.
#include "morph/words/letter_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "tests/support/cpu_levels.h"

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

#if defined(__x86_64__)
using FoldSixteen = Sixteen (*)(const unsigned char*, char32_t*) noexcept;

std::u32string folded_sixteen(FoldSixteen fold, std::string text, std::uint64_t* key = nullptr) {
  text.resize(std::max<std::size_t>(text.size(), kSixteenBytes), ' ');
  std::array<char32_t, 16> letters{};
  const Sixteen found = fold(reinterpret_cast<const unsigned char*>(text.data()), letters.data());
  if (key != nullptr) *key = found.key;
  EXPECT_LE(found.letters, 16U);
  return {letters.data(), found.letters};
}

using SixteenLetters = OnCpuLevel;
INSTANTIATE_TEST_SUITE_P(Each, SixteenLetters, testing::Values(CpuLevel::v3), NameOfCpuLevel());

TEST_P(SixteenLetters, AreThoseThatEightAre) {
  for (char32_t c = 1; c < 0x10000; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    std::string text;
    append_utf8(text, c);
    ASSERT_EQ(folded_sixteen(fold_sixteen_latin, text), folded(fold_latin_letters, text)) << +c;
    ASSERT_EQ(folded_sixteen(fold_sixteen_cyrillic, text), folded(fold_cyrillic_letters, text)) << +c;
  }
  EXPECT_EQ(folded_sixteen(fold_sixteen_latin, "Internationalisation"), U"internationalisa");
  EXPECT_EQ(folded_sixteen(fold_sixteen_latin, "Abcdefghijk'lmno"), U"abcdefghijk");
  EXPECT_EQ(folded_sixteen(fold_sixteen_cyrillic, "Превысокомногорассмотрительствующий"),
            U"превысокомногора");
  EXPECT_EQ(folded_sixteen(fold_sixteen_cyrillic, "ЁЖИК-ёжик"), U"ежик");
  EXPECT_EQ(folded_sixteen(fold_sixteen_cyrillic, "ежѝк"), U"") << "a grave is left to others";
  EXPECT_EQ(folded_sixteen(fold_sixteen_cyrillic, "ѣжикъ"), U"") << "so are letters from U+0460 on";
}

TEST_P(SixteenLetters, HaveAKeyOfAllLettersAndOfNothingElse) {
  std::map<std::uint64_t, std::u32string> words;
  const auto add = [&](FoldSixteen fold, const std::string& word) {
    for (const char* const rest : {" ", ", дальше", "-то", "7", " weiter"}) {
      std::uint64_t key = 0;
      const std::u32string letters = folded_sixteen(fold, word + rest, &key);
      ASSERT_EQ(words.try_emplace(key, letters).first->second, letters) << word;
    }
  };
  std::string latin, cyrillic;
  for (int length = 1; length < 16; ++length) {
    latin += 'a';
    cyrillic += "а";
    add(fold_sixteen_latin, latin);
    add(fold_sixteen_cyrillic, cyrillic);
    for (std::size_t at = 0; at < latin.size(); ++at) {
      std::string other = latin;
      other[at] = 'b';
      add(fold_sixteen_latin, other);
      other = cyrillic;
      other[2 * at + 1] = '\xb1';
      add(fold_sixteen_cyrillic, other);
    }
  }
  EXPECT_EQ(words.size(), 2U * (15 + 15 * 16 / 2));
}
#endif

}  // namespace
}  // namespace akin
