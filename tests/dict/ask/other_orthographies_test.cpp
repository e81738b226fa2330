// Words in an orthography that no dictionary lists.
#include "dict/ask/other_orthographies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

constexpr std::string_view kNoAffixes = "SET UTF-8\n";

struct Spelling {
  const char* written;
  const char* read;
};
void PrintTo(const Spelling& spelling, std::ostream* out) { *out << spelling.written; }

class OtherOrthographyTest : public testing::TestWithParam<Spelling> {
 protected:
  /// A dictionary of one word, that as which the spelling should be read.
  [[nodiscard]] std::shared_ptr<const Dictionary> open(const char* language) {
    return TinyDictionaries::open(files_.config({files_.write(language, kNoAffixes, GetParam().read)}));
  }
  TinyDictionaries files_;
};

class RussianBefore1918 : public OtherOrthographyTest {};
INSTANTIATE_TEST_SUITE_P(Words, RussianBefore1918,
                         testing::Values(Spelling{"хлѣбъ", "хлеб"}, Spelling{"міръ", "мир"},
                                         Spelling{"Ѳома", "фома"}, Spelling{"мѵро", "миро"},
                                         Spelling{"добраго", "доброго"}, Spelling{"большаго", "большего"},
                                         Spelling{"синяго", "синего"}, Spelling{"новыя", "новые"},
                                         Spelling{"русскія", "русские"}, Spelling{"ея", "ее"},
                                         Spelling{"онѣ", "они"}, Spelling{"разсказъ", "рассказ"},
                                         Spelling{"безсмертнаго", "бессмертного"},
                                         Spelling{"изслѣдованія", "исследования"}));

TEST_P(RussianBefore1918, HasTheClassOfTodaysSpelling) {
  EXPECT_EQ(class_of(*open("ru"), GetParam().written), GetParam().read);
}

TEST_P(RussianBefore1918, IsReadAsItStandsWhereRussianIsNotConfigured) {
  EXPECT_NE(class_of(*open("uk"), GetParam().written), GetParam().read);
}

class RussianInLatinLetters : public OtherOrthographyTest {};
INSTANTIATE_TEST_SUITE_P(
    Words, RussianInLatinLetters,
    testing::Values(Spelling{"zhizn", "жизнь"}, Spelling{"žiznʹ", "жизнь"}, Spelling{"chelovek", "человек"},
                    Spelling{"čelovek", "человек"}, Spelling{"ŝuka", "щука"}, Spelling{"shchuka", "щука"},
                    Spelling{"shhuka", "щука"}, Spelling{"ščuka", "щука"}, Spelling{"ûbka", "юбка"},
                    Spelling{"yubka", "юбка"}, Spelling{"iubka", "юбка"}, Spelling{"jubka", "юбка"},
                    Spelling{"khorosho", "хорошо"}, Spelling{"xorošo", "хорошо"},
                    Spelling{"xorosho", "хорошо"}, Spelling{"èto", "это"}, Spelling{"eto", "это"},
                    Spelling{"pol'za", "польза"}, Spelling{"polza", "польза"}, Spelling{"semia", "семья"},
                    Spelling{"russkii", "русский"}, Spelling{"russkij", "русский"}, Spelling{"by`l", "был"},
                    Spelling{"e`to", "это"}, Spelling{"opiat", "опять"}, Spelling{"boitsia", "боится"},
                    Spelling{"ne", "не"}));

TEST_P(RussianInLatinLetters, HasTheClassOfTheCyrillicWord) {
  EXPECT_EQ(class_of(*open("ru"), GetParam().written), GetParam().read);
}

class WithoutAccents : public OtherOrthographyTest {};
INSTANTIATE_TEST_SUITE_P(Words, WithoutAccents,
                         testing::Values(Spelling{"pritel", "přítel"}, Spelling{"kun", "kůň"},
                                         Spelling{"cestina", "čeština"}));

TEST_P(WithoutAccents, HasTheClassOfTheWordWithThem) {
  EXPECT_EQ(class_of(*open("cs"), GetParam().written), GetParam().read);
}

TEST_P(WithoutAccents, IsReadAsItStandsInALanguageThatWritesNone) {
  EXPECT_NE(class_of(*open("en"), GetParam().written), GetParam().read);
}

TEST(OtherOrthographies, AWordThatADictionaryHasIsThatWord) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(
      files.config({files.write("ru", kNoAffixes, "он\nкот\n"), files.write("en", kNoAffixes, "on\n")}));
  EXPECT_EQ(class_of(*dictionary, "on"), "on");
  EXPECT_EQ(class_of(*dictionary, "kot"), "кот");
}

TEST(OtherOrthographies, AWordInOneIsNotKnown) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kNoAffixes, "жизнь\n")}));
  EXPECT_EQ(hash_of(*dictionary, "zhizn"), hash_of(*dictionary, "жизнь"));
  EXPECT_FALSE(knows(*dictionary, "zhizn"));
  WordFolder folder;
  EXPECT_TRUE(dictionary->is_transliterated(folder.fold("zhizn")));
  EXPECT_FALSE(dictionary->is_transliterated(folder.fold("жизнь")));
}

TEST(OtherOrthographies, OfTheOldOneAreWordsThatNoneButTheRussianDictionaryReads) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config(
      {files.write("ru", kNoAffixes, "рассказ\nсад\n"), files.write("uk", kNoAffixes, "садъ\n")}));
  WordFolder folder;
  EXPECT_TRUE(dictionary->is_in_old_orthography(folder.fold("разсказъ")));
  for (const char* other : {"рассказ", "садъ", "разказъ", "sad"})
    EXPECT_FALSE(dictionary->is_in_old_orthography(folder.fold(other))) << other;
}

TEST(OtherOrthographies, OneLetterIsNoWord) {
  TinyDictionaries files;
  const auto dictionary = TinyDictionaries::open(files.config({files.write("ru", kNoAffixes, "ф\n")}));
  EXPECT_EQ(class_of(*dictionary, "f"), "f");
}

TEST(OtherOrthographies, AWordOfTooManyReadingsIsLeftAlone) {
  TinyDictionaries files;
  // "ch" is ч, х or цх.
  const auto dictionary =
      TinyDictionaries::open(files.config({files.write("ru", kNoAffixes, "ччч\nчччч\n")}));
  EXPECT_EQ(class_of(*dictionary, "chchch"), "ччч");
  EXPECT_EQ(class_of(*dictionary, "chchchch"), "chchchch");
}

TEST(OtherOrthographies, TodaysRussianHasNoOtherReading) {
  for (const auto* word : {U"хлеб", U"рассказ", U"этот"}) EXPECT_TRUE(modern_russian(word).empty());
}

}  // namespace
}  // namespace akin::test
