// Words that were spelt another way to hide them.
#include <gtest/gtest.h>

#include "dict/ask/respelling.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

constexpr std::string_view kAff = "SET UTF-8\n";

TEST(Respelling, WordsOfLookAlikesAreOneInBothScripts) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kAff, "сор\nв\n")}));
  for (const char* word : {"cop", "COP", "сор", "b"}) EXPECT_TRUE(knows(*dictionary, word)) << word;
  EXPECT_EQ(class_of(*dictionary, "cop"), "сор");
  EXPECT_EQ(class_of(*dictionary, "ахо"), class_of(*dictionary, "axo"));
}

TEST(Respelling, ACyrillicWordHasTheLatinClassIfNoDictionaryHasTheCyrillicOne) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("en", kAff, "pays\n")}));
  EXPECT_TRUE(knows(*dictionary, "рауѕ"));
}

TEST(Respelling, AnUnknownWordIsReadAsItsCapitalsLookInTheOtherScriptIfADictionaryHasThat) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(
      files.config({files.write("en", kAff, "the\nhow's\nhen\n"), files.write("ru", kAff, "нен\n")}));
  EXPECT_EQ(class_of(*dictionary, "ТНЕ"), "the");
  EXPECT_EQ(class_of(*dictionary, "НОԜ'Ѕ"), "how's");
  EXPECT_NE(class_of(*dictionary, "НЕН"), "hen");
  EXPECT_EQ(class_of(*dictionary, "ТОМ"), "том");
}

TEST(Respelling, AWordOfTwoLettersIsOneInBothScriptsIfItLooksAlikeWithACapital) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(
      files.config({files.write("en", kAff, "he\nmy\nat\n"), files.write("ru", kAff, "не\nат\n")}));
  EXPECT_EQ(class_of(*dictionary, "He"), "не");
  EXPECT_EQ(class_of(*dictionary, "Му"), "my");
  EXPECT_EQ(class_of(*dictionary, "at"), "at");
}

TEST(Respelling, LettersThatLookAlikeInOneCaseOnlyAreNotExchanged) {
  EXPECT_TRUE(twins_of(U"вот").latin.empty());
  EXPECT_TRUE(twins_of(U"слово").latin.empty());
  EXPECT_TRUE(twins_of(U"от").latin.empty());
  EXPECT_EQ(twins_of(U"в").latin, U"b");
}

TEST(Respelling, DigitsStandForLettersOfKnownWords) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kAff, "слово\nчерез\n")}));
  EXPECT_EQ(class_of(*dictionary, "сл0во"), "слово");
  EXPECT_EQ(class_of(*dictionary, "сл0в0"), "слово");
  EXPECT_EQ(class_of(*dictionary, "4ерез"), "через");
}

TEST(Respelling, DigitsOfShortWordsAndInARowStandForLettersIfADictionaryHasTheWord) {
  TinyDictionaries files;
  const auto dictionary =
      TinyDictionaries::open(files.config({files.write("en", kAff, "die\npressing\nladyship's\n")}));
  EXPECT_EQ(class_of(*dictionary, "d1e"), "die");
  EXPECT_EQ(class_of(*dictionary, "pre55ing"), "pressing");
  EXPECT_EQ(class_of(*dictionary, "l4dyship's"), "ladyship's");
}

TEST(Respelling, ManyDigitsInsideAWordStandForLettersIfADictionaryHasTheWord) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config(
      {files.write("en", kAff,
                   "concealed\ndoor\nbeen\nespecially\nwollen\nalso\nabbey\nalle\ndoes\nlesson\n"),
       files.write("ru", kAff, "обязанности\nтоби\nэтой\nпотому\nработа\nчтобы\n")}));
  EXPECT_EQ(class_of(*dictionary, "c0nc3a13d"), "concealed");
  EXPECT_EQ(class_of(*dictionary, "e5p3cia11y"), "especially");
  EXPECT_EQ(class_of(*dictionary, "d00r"), "door");
  EXPECT_EQ(class_of(*dictionary, "b33n"), "been");
  EXPECT_EQ(class_of(*dictionary, "w0113n"), "wollen");
  EXPECT_EQ(class_of(*dictionary, "a15o"), "also");
  EXPECT_EQ(class_of(*dictionary, "A883y"), "abbey");
  EXPECT_EQ(class_of(*dictionary, "a11e"), "alle");
  EXPECT_EQ(class_of(*dictionary, "d03s"), "does");
  EXPECT_EQ(class_of(*dictionary, "l3550n"), "lesson");
  EXPECT_EQ(class_of(*dictionary, "ч706ы"), "чтобы");
  EXPECT_EQ(class_of(*dictionary, "о6я3анн0с7и"), "обязанности");
  EXPECT_EQ(class_of(*dictionary, "п070му"), "потому");
  EXPECT_EQ(class_of(*dictionary, "т06и"), "тоби");
  EXPECT_EQ(class_of(*dictionary, "э70й"), "этой");
}

TEST(Respelling, ATwinUnderAnIgnoredAccentHasItsTwinsClass) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config(
      {files.write("en", kAff, "to\n"), files.write("uk", "SET UTF-8\nIGNORE \u0301\n", "то\n")}));
  EXPECT_EQ(class_of(*dictionary, "to"), "то");
  EXPECT_EQ(class_of(*dictionary, "t\u0301o"), "то");
}

TEST(Respelling, DigitsInsideUnknownWordsBecomeTheLikeliestLetters) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kAff, "слово\n")}));
  EXPECT_EQ(class_of(*dictionary, "кар0м"), class_of(*dictionary, "каром"));
  EXPECT_EQ(class_of(*dictionary, "Р0с70в"), class_of(*dictionary, "Ростов"));
  EXPECT_EQ(class_of(*dictionary, "n3igh80urh00d"), class_of(*dictionary, "neighbourhood"));
  EXPECT_EQ(class_of(*dictionary, "Schätz31e"), class_of(*dictionary, "Schätzele"));
}

TEST(Respelling, NumbersAndShortNamesKeepTheirDigits) {
  for (const std::u32string_view word :
       {U"co2", U"1990", U"l10n", U"a11y", U"2nd", U"abcd12", U"f16s", U"o11y", U"x1616161616yz"})
    EXPECT_TRUE(undisguised(word).empty());
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("en", kAff, "die\n")}));
  EXPECT_EQ(class_of(*dictionary, "b2b"), "b2b");
  EXPECT_EQ(class_of(*dictionary, "ab12cd"), "ab12cd");
  EXPECT_EQ(class_of(*dictionary, "a1b2c3d4e"), "a1b2c3d4e");
}

TEST(Respelling, RareAccentsAreLeftOutOfUnknownWordsOnly) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("en", kAff, "words\nść\n")}));
  EXPECT_EQ(class_of(*dictionary, "woŕds"), "words");
  EXPECT_EQ(class_of(*dictionary, "wo\u0308\u030ards"), class_of(*dictionary, "wörds"));
  EXPECT_EQ(class_of(*dictionary, "ść"), "ść");
  EXPECT_EQ(class_of(*dictionary, "Tomḱins"), class_of(*dictionary, "Tomkins"));
}

TEST(Respelling, AWordOfLookAlikesHasItsTwinsClassUnderAccentsToo) {
  TinyDictionaries files;
  const auto dictionary =
      TinyDictionaries::open(files.config({files.write("ru", kAff, "а\n"), files.write("en", kAff, "a\n")}));
  EXPECT_EQ(class_of(*dictionary, "å"), class_of(*dictionary, "a"));
}

TEST(Respelling, MarksThatNoLanguageWritesAreDropped) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kAff, "слово\n")}));
  EXPECT_EQ(class_of(*dictionary, "сл̵ово"), "слово");
  EXPECT_EQ(class_of(*dictionary, "с̊лово"), "слово");
}

}  // namespace
}  // namespace akin::test
