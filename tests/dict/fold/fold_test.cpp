#include "dict/fold/fold.h"

#include <gtest/gtest.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"

namespace akin {
namespace {

std::string folded(std::string_view word) {
  static WordFolder folder;
  return to_utf8(folder.fold(word).letters);
}

struct FoldRow {
  std::string_view source, expected;
  unsigned flags = kFoldClean;
};

class Folding : public testing::TestWithParam<FoldRow> {};

TEST_P(Folding, Gives) {
  WordFolder folder;
  const FoldedWord word = folder.fold(GetParam().source);
  EXPECT_EQ(to_utf8(word.letters), GetParam().expected);
  EXPECT_EQ(word.flags, GetParam().flags);
  EXPECT_EQ(word.key, spelling_key(word.letters));
}

INSTANTIATE_TEST_SUITE_P(Case, Folding,
                         testing::Values(FoldRow{"Слово", "слово"}, FoldRow{"WORD", "word"},
                                         FoldRow{"Straße", "strasse"}, FoldRow{"STRASSE", "strasse"},
                                         FoldRow{"STRAẞE", "strasse"}, FoldRow{"ΆΝΘΡΩΠΟΣ", "άνθρωποσ"},
                                         FoldRow{"άνθρωπος", "άνθρωποσ"}, FoldRow{"İstanbul", "istanbul"},
                                         FoldRow{"ısı", "isi"}, FoldRow{"ǅ", "dž"}));
INSTANTIATE_TEST_SUITE_P(Form, Folding,
                         testing::Values(FoldRow{"ﬁne", "fine"}, FoldRow{"ｗｏｒｄ", "word"},
                                         FoldRow{"№5", "no5"}, FoldRow{"Ⅷ", "viii"},
                                         FoldRow{"cafe\u0301", "café"}, FoldRow{"и\u0306", "й"},
                                         FoldRow{"і\u0308", "ї"}, FoldRow{"\u1112\u1161\u11ab", "한"},
                                         FoldRow{"ﾊﾟ", "パ"}, FoldRow{"м²", "м2"}, FoldRow{"ᴡᴏʀᴅ", "word"},
                                         FoldRow{"ᵂᵒʳᵈ", "word"}, FoldRow{"🆆🅾🆁🅳", "word"},
                                         FoldRow{"🅦🅞\u0301🅡🅓", "wórd"}, FoldRow{"ᴄᴀꜰᴇ\u0301", "café"}));
INSTANTIATE_TEST_SUITE_P(YoAndStress, Folding,
                         testing::Values(FoldRow{"Ёлка", "елка"}, FoldRow{"е\u0308лка", "елка"},
                                         FoldRow{"за\u0301мок", "замок"}, FoldRow{"ѐ", "е"},
                                         FoldRow{"ѝ", "и"}, FoldRow{"ё\u0301", "е"}, FoldRow{"а\u0341", "а"},
                                         FoldRow{"ѓ", "ѓ"}, FoldRow{"к\u0301", "ќ"}, FoldRow{"ї\u0301", "ї"},
                                         FoldRow{"é", "é"}));  // not Cyrillic: the mark is part of the letter
INSTANTIATE_TEST_SUITE_P(Apostrophe, Folding,
                         testing::Values(FoldRow{"м'ята", "м'ята"}, FoldRow{"м’ята", "м'ята"},
                                         FoldRow{"мʼята", "м'ята"}, FoldRow{"м`ята", "м'ята"},
                                         FoldRow{"м´ята", "м'ята"}, FoldRow{"м \u0301ята", "м'ята"},
                                         FoldRow{"м＇ята", "м'ята"}, FoldRow{"don‘t", "don't"},
                                         FoldRow{"'tis'", "tis"}, FoldRow{"м''ята", "мята"},
                                         FoldRow{"5'6", "56"}));
INSTANTIATE_TEST_SUITE_P(
    Dropped, Folding,
    testing::Values(FoldRow{"сло\u00adво", "слово"}, FoldRow{"сло-\n   во", "слово"},
                    FoldRow{"кто-то", "ктото"}, FoldRow{"сло\u200bво", "слово", kFoldZeroWidth},
                    FoldRow{"\ufeffслово\u200e", "слово"}, FoldRow{"w\u202eord", "word", kFoldZeroWidth},
                    FoldRow{"می\u200cخواهم", "میخواهم"},  // the joiner belongs to Persian spelling
                    FoldRow{"«слово»,", "слово"}, FoldRow{"", ""}, FoldRow{"—", ""}, FoldRow{"\u0301", ""}));
INSTANTIATE_TEST_SUITE_P(
    Scripts, Folding,
    testing::Values(
        FoldRow{"cлoвo", "слово", kFoldMixedScript},      // Latin c, o
        FoldRow{"Bода", "вода", kFoldMixedScript},        // Latin B
        FoldRow{"пpocтoй", "простой", kFoldMixedScript},  // most letters Latin, yet п, т, й are not
        FoldRow{"зáмок", "замок", kFoldMixedScript},      // a Latin á for a stressed а
        FoldRow{"пoїзд", "поїзд", kFoldMixedScript}, FoldRow{"поïзд", "поїзд", kFoldMixedScript},
        FoldRow{"wоrd", "word", kFoldMixedScript}, FoldRow{"νery", "very", kFoldMixedScript},
        FoldRow{"AΘHNA", "αθηνα", kFoldMixedScript}, FoldRow{"օften", "often", kFoldMixedScript},
        FoldRow{"ꓪord", "word"},  // Lisu
        FoldRow{"ⵡord", "ⵡord"},  // a letter the table does not have
        FoldRow{"Тhе", "the", kFoldMixedScript}, FoldRow{"Мr", "mr", kFoldMixedScript},  // Cyrillic Т, е, М
        FoldRow{"Маmа", "mama", kFoldMixedScript}, FoldRow{"Taкa", "така", kFoldMixedScript},
        FoldRow{"Рерs", "peps", kFoldMixedScript}, FoldRow{"cop", "cop"},
        FoldRow{"сор", "сор"},  // all look-alikes, one script: left as it is
        FoldRow{"finereader'ом", "finereader'om", kFoldMixedScript}, FoldRow{"h2о", "h2o", kFoldMixedScript},
        FoldRow{"µm", "μm"}, FoldRow{"kΩ", "kω"}, FoldRow{"О0", "о0"}));  // digits are never exchanged

/// Every spelling that must fold like the word itself.
std::vector<std::string> respellings(const std::string& word) {
  const icu::UnicodeString source = icu::UnicodeString::fromUTF8(word);
  std::vector<icu::UnicodeString> cased = {source, source, source, source};
  cased[1].toUpper(icu::Locale::getRoot());
  cased[2].toLower(icu::Locale::getRoot());
  cased[3].toTitle(nullptr, icu::Locale::getRoot());
  std::vector<std::string> result;
  for (const icu::UnicodeString& spelling : cased) {
    UErrorCode error = U_ZERO_ERROR;
    for (const icu::Normalizer2* form :
         {icu::Normalizer2::getNFCInstance(error), icu::Normalizer2::getNFDInstance(error),
          icu::Normalizer2::getNFKCInstance(error), icu::Normalizer2::getNFKDInstance(error)}) {
      std::string utf8;
      form->normalize(spelling, error).toUTF8String(utf8);
      result.push_back(utf8);
    }
  }
  return result;
}

void expect_stable(const std::string& word) {
  const std::string once = folded(word);
  ASSERT_EQ(folded(once), once) << "folded twice: " << word;
  for (const std::string& spelling : respellings(word))
    ASSERT_EQ(folded(spelling), once) << word << " as " << spelling;
}

TEST(FoldingIsStable, ForEveryLetterAndForItsPairsWithCommonMarks) {
  const char32_t marks[] = {0x300, 0x301, 0x302, 0x303, 0x306, 0x307, 0x308,
                            0x30a, 0x30c, 0x323, 0x327, 0x328, 0x342, 0x345};
  for (char32_t c = 0x41; c < 0x3000; ++c) {
    if (!CharTable::instance()[c].composes() && CharTable::instance()[c].kind() != CharKind::letter) continue;
    ASSERT_NO_FATAL_FAILURE(expect_stable(to_utf8(std::u32string{c})));
    if (c == 0x37a) continue;  // in compatibility forms a space with a mark, no letter
    if (c > 0x530 || CharTable::instance()[c].kind() != CharKind::letter) continue;
    for (const char32_t mark : marks) {
      ASSERT_NO_FATAL_FAILURE(expect_stable(to_utf8(std::u32string{c, mark})));
      // The iota subscript becomes a letter in upper case; only in canonical order, last, does it stay in its
      // place.
      if (mark != 0x345) {
        ASSERT_NO_FATAL_FAILURE(expect_stable(to_utf8(std::u32string{c, mark, 0x301})));
      }
      ASSERT_NO_FATAL_FAILURE(expect_stable(to_utf8(std::u32string{c, 0x308, mark})));
    }
  }
}

TEST(FoldingIsStable, ForRandomWordsOfMixedScripts) {
  const std::u32string alphabet =
      U"abcehikmnoprstuvxyzdfglqwABCEHÉïéáàöʼ'"
      U"абвгдеёжзийклмнопрстуфхцчшщъыьэюяѐѝѓќіїєґѕјѵүһӏԁАВЕКМНОРСТУХαβγεζηικλμνοπρτυφχσςΆΈ"
      U"\u0300\u0301\u0306\u0308\u0307\u0323\u00ad\u200b0123Ꭺօհ²№ßſﬁ漢が한한";
  std::mt19937 random(20090101);
  for (int i = 0; i < 200'000; ++i) {
    std::u32string word;
    for (std::size_t size = 1 + random() % 7; word.size() < size;)
      word += alphabet[random() % alphabet.size()];
    ASSERT_NO_FATAL_FAILURE(expect_stable(to_utf8(word)));
  }
}

TEST(FoldingIsStable, ForTheWordsOfInstalledDictionaries) {
  std::size_t words = 0;
  for (const char* language : {"ru_RU", "en_US", "de_DE", "uk_UA", "hu_HU", "pl_PL", "cs_CZ"}) {
    std::ifstream file("/usr/share/hunspell/" + std::string(language) + ".dic");
    std::string line;
    for (std::size_t number = 0; std::getline(file, line); ++number) {
      if (number % 20 != 1) continue;
      const std::string word = line.substr(0, line.find_first_of("/\t\r"));
      if (validate_utf8(word, "word").has_error()) continue;  // a dictionary in an old encoding
      ASSERT_NO_FATAL_FAILURE(expect_stable(word));
      ++words;
    }
  }
  if (words == 0) GTEST_SKIP() << "no UTF-8 dictionary in /usr/share/hunspell";
}

TEST(Folding, AcceptsAnyBytesThatAreUtf8) {
  std::mt19937 random(1);
  WordFolder folder;
  for (int i = 0; i < 20'000; ++i) {
    std::u32string text;
    for (std::size_t size = random() % 12; text.size() < size;) {
      const auto c = static_cast<char32_t>(random() % 3 == 0 ? random() % 0x3000 : random() % 0x110000);
      if (c < 0xd800 || c > 0xdfff) text += c;
    }
    const FoldedWord word = folder.fold(to_utf8(text));
    const std::string once = to_utf8(word.letters);
    ASSERT_EQ(to_utf8(folder.fold(once).letters), once) << to_utf8(text);
  }
}

TEST(Folding, TakesARunOfMarksWithoutEnd) {
  std::string word = "а";
  for (int i = 0; i < 100'000; ++i) word += "\u0323";
  EXPECT_EQ(folded(word), word);
}

}  // namespace
}  // namespace akin
