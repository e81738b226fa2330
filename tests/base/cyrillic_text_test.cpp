#include "base/cyrillic_text.h"

#include <gtest/gtest.h>

#include <random>

#include "base/text_codec.h"
#include "tests/support/cpu_levels.h"

namespace akin {
namespace {

const std::string kProse = "Ещё раз: «Жили-были…» — сказал он, – и 2 + 2 = 4 №5. Їжак, ґанок, ў; ";

std::string packed_of(const std::string& text) {
  std::string packed;
  EXPECT_TRUE(pack_cyrillic(text, packed)) << text;
  return packed;
}

TEST(CyrillicText, TakesAByteForACharacterOfWindows1251) {
  EXPECT_EQ(packed_of("Ёж №1 — «да»"),
            "\xa8\xe6 \xb9"
            "1 \x97 \xab\xe4\xe0\xbb");
}

TEST(CyrillicText, KeepsEveryOtherCharacterBehindAnEscape) {
  const std::string text = kProse + "中ѣ\xf0\x9f\x98\x80\u0439\u0306Ѡ" + kProse;
  EXPECT_EQ(unpack_cyrillic(packed_of(text), text.size()), text);
  EXPECT_EQ(packed_of(kProse + "ѣ").substr(packed_of(kProse).size()), "\x98ѣ");
}

using CyrillicTextForms = OnCpuLevel;
INSTANTIATE_TEST_SUITE_P(Each, CyrillicTextForms, testing::Values(CpuLevel::baseline, CpuLevel::v2),
                         NameOfCpuLevel());

TEST_P(CyrillicTextForms, ComeBackAsTheyWereAtEveryLength) {
  std::mt19937_64 random(11);
  const std::string pieces[] = {
      "а", "я", "п", "ё", "Ў", " ", "\n", "z", "—", "ѣ", "€", "中", std::string(1, '\0')};
  for (std::size_t length = 1; length < 400; ++length) {
    std::string text = "он";
    for (std::size_t i = 0; i < length; ++i)
      text += pieces[random() % 100 < 90 ? random() % 6 : random() % std::size(pieces)];
    std::string packed;
    if (pack_cyrillic(text, packed)) {
      EXPECT_EQ(unpack_cyrillic(packed, text.size()), text);
    }
    EXPECT_EQ(decompress_text(compress_text(text).value(), text.size()), text);
  }
}

TEST_P(CyrillicTextForms, PackEachCharacterAloneWhateverIsBesideIt) {
  std::mt19937_64 random(12);
  const std::pair<std::string, std::string> characters[] = {
      {"а", "\xe0"}, {"п", "\xef"}, {"р", "\xf0"},  {"я", "\xff"},  {"А", "\xc0"},   {"Я", "\xdf"},
      {"ё", "\xb8"}, {"Ё", "\xa8"}, {"і", "\xb3"},  {"Ї", "\xaf"},  {" ", " "},      {"z", "z"},
      {"—", "\x97"}, {"«", "\xab"}, {"ѣ", "\x98ѣ"}, {"Ѡ", "\x98Ѡ"}, {"中", "\x98中"}};
  constexpr std::size_t kFrequent = 12;
  for (std::size_t length = 1; length < 600; ++length) {
    // Letters enough that a text is packed, whatever follows.
    std::string text, expected;
    for (std::size_t i = 0; i < 4 * length; ++i) {
      const bool is_rare = i > length && random() % 16 == 0;
      const auto& [utf8, packed] = i <= length
                                       ? characters[random() % 4]
                                       : characters[random() % (is_rare ? std::size(characters) : kFrequent)];
      text += utf8;
      expected += packed;
    }
    EXPECT_EQ(packed_of(text), expected);
  }
}

TEST(CyrillicText, LeavesTextsAloneThatWouldGainLittle) {
  std::string packed;
  EXPECT_FALSE(pack_cyrillic("", packed));
  EXPECT_FALSE(pack_cyrillic(std::string(1000, 'a'), packed));
  std::string old_letters;
  for (int i = 0; i < 1000; ++i) old_letters += "ѣ";
  EXPECT_FALSE(pack_cyrillic(old_letters, packed));
}

TEST_P(CyrillicTextForms, LeaveAloneWhatIsNotUtf8) {
  std::string packed;
  for (const char* broken : {"\xd0", "\xd0я", "\x98", "\xe2\x80", "\xff", "\xc0\x80", "\xd0\xd0"}) {
    for (const std::string& text : {kProse + broken, broken + kProse, kProse + broken + kProse}) {
      EXPECT_FALSE(pack_cyrillic(text, packed));
      EXPECT_EQ(decompress_text(compress_text(text).value(), text.size()), text);
    }
  }
}

TEST(CyrillicText, RefusesWhatIsNotThePackedFormOfSuchAText) {
  const std::string packed = packed_of(kProse);
  EXPECT_FALSE(unpack_cyrillic(packed, kProse.size() - 1));
  EXPECT_FALSE(unpack_cyrillic(packed, kProse.size() + 1));
  EXPECT_FALSE(unpack_cyrillic(packed + "\x98", kProse.size()));
  EXPECT_FALSE(unpack_cyrillic(packed + "\x98\xd0", kProse.size() + 2));
  EXPECT_FALSE(unpack_cyrillic("\x98\xff", 1));
}

}  // namespace
}  // namespace akin
