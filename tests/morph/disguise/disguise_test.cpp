// Which texts raise the alerts that find_disguise looks for, and which honest ones do not.

#include "morph/disguise/disguise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace akin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "kind: what the alert covers", one for each.
std::vector<std::string> found(const std::string& text) {
  std::vector<std::string> lines;
  for (const Alert& alert : find_disguise(text).alerts) {
    lines.push_back(std::string(alert_name(alert.kind)) + ": " +
                    std::string(slice_code_points(text, alert.range.begin, alert.range.end)));
  }
  return lines;
}

TEST(Disguise, FiveSingleLettersInARowAreSpacing) {
  EXPECT_THAT(found("Это т е к с т, а не слово."), ElementsAre("letter_spacing: т е к с т"));
  EXPECT_THAT(found("Это т.е.к.с.т."), ElementsAre("letter_spacing: т.е.к.с.т"));
  EXPECT_THAT(found("т\u2009е\u2009к\u2009с\u2009т"),
              ElementsAre("letter_spacing: т\u2009е\u2009к\u2009с\u2009т"));
  EXPECT_THAT(found("T e x t s"), ElementsAre("letter_spacing: T e x t s"));
  EXPECT_THAT(found("т е к с"), IsEmpty());
}

TEST(Disguise, SpacingHasOneSeparator) {
  for (const char* text :
       {"т е.к с т", "т  е  к  с  т", "т\nе\nк\nс\nт", "Д\u00a0о\u00a0н\u00a0Г\u00a0у", "т е к 5 с т"}) {
    EXPECT_THAT(found(text), IsEmpty()) << text;
  }
}

TEST(Disguise, ListsAndAbbreviationsAreNotSpacing) {
  for (const char* text : {"variables a b c d e", "а б в г д е ё ж", "A A A A A A", "H.E.I.C.S.",
                           "漢 字 仮 名 交 文", "J. R. R. T. K. and so on"}) {
    EXPECT_THAT(found(text), IsEmpty()) << text;
  }
}

TEST(Disguise, LongSpacingAlertsForEachTenLetters) {
  EXPECT_THAT(found("Все ж и в о т н ы е р а в н ы в с е"),
              ElementsAre("letter_spacing: ж и в о т н ы е р а", "letter_spacing: в н ы в с е"));
  EXPECT_THAT(found("ж и в о т н ы е р а в."),
              ElementsAre("letter_spacing: ж и в о т н ы е р а", "letter_spacing: в"));
}

TEST(Disguise, DigitBetweenLettersOfAWordAlerts) {
  EXPECT_THAT(found("Это с0циология и un5p0ken."),
              ElementsAre("digit_in_word: с0циология", "digit_in_word: un5p0ken"));
  EXPECT_THAT(found("К0НТРОЛЬ"), ElementsAre("digit_in_word: К0НТРОЛЬ"));
}

TEST(Disguise, NamesWithDigitsDoNotAlert) {
  for (const char* text : {"B2B",           "CO2",         "H1N1",         "3D",        "19th",
                           "2024",          "COVID19",     "x86_64",       "libx11dev", "i18n",
                           "win32api",      "4asto",       "IwAR0RtT8W5F", "md5sum(1)", "/usr/f1news",
                           "www.f1news.ru", "f1news.ru",   "a-f1news",     "f1news-b",  "user_n4me",
                           "слово²другое",  "user@f1news", "m4a"}) {
    EXPECT_THAT(found(text), IsEmpty()) << text;
  }
}

TEST(Disguise, MarksThatNoLanguageWritesAlert) {
  for (const char* word : {"с\u030aлово", "с\u0336л\u0336ово", "сп\u0301ор", "ab\u0301out", "tex\u0336t",
                           "λο\u0338γος", "a\u0323\u0302\u0301\u0303bc", "т\u20ddекст"}) {
    EXPECT_THAT(found(word), ElementsAre("impossible_mark: " + std::string(word))) << word;
  }
}

TEST(Disguise, MarksOfLanguagesDoNotAlert) {
  for (const char* word : {"за\u0301мок", "и\u0306од", "е\u0308лка", "\u0456\u0308", "г\u0301", "с\u0301утра",
                           "р\u0301", "Vie\u0323\u0302t", "a\u030a", "ma\u0301s", "tu\u0338",
                           "\u03b1\u0313\u0301\u0345", "n\u0303", "g\u0303", "\u0995\u09be", "2\u0336"}) {
    EXPECT_THAT(found(word), IsEmpty()) << word;
  }
}

TEST(Disguise, LettersForPrivateUseInWordsAlert) {
  for (const char* word : {"сло\uE432о", "te\uE001\uE001xt", "\uE041\uE042\uE043", "a\U000F0041b"})
    EXPECT_THAT(found("Это " + std::string(word) + ", да."),
                ElementsAre("private_use: " + std::string(word)));
}

TEST(Disguise, SymbolsOfFontsDoNotAlert) {
  for (const char* text : {"\uF0B7 item", "\uF0B7item", "the end\uF0A7", "\uF8FF TV",
                           "\uF02A\uF02A\uF02A\uF02A", "a \uE000 b \uE001 c", "\uE000\uE001", "5\uE0006"}) {
    EXPECT_THAT(found(text), IsEmpty()) << text;
  }
}

TEST(Disguise, LettersThatAnOverrideShowsBackwardsAlert) {
  EXPECT_THAT(found("Это \u202Eовелс\u202C, да."), ElementsAre("bidi_override: \u202Eовелс"));
  EXPECT_THAT(found("\u202Ecba fed\nabc"), ElementsAre("bidi_override: \u202Ecba fed"));
  EXPECT_THAT(found("a \u202Ecb"), ElementsAre("bidi_override: \u202Ecb"));
  EXPECT_THAT(found("\u202Da \u05d0\u05d1\u202C"), ElementsAre("bidi_override: \u202Da \u05d0\u05d1"));
}

TEST(Disguise, DirectionsThatChangeNoOrderDoNotAlert) {
  for (const char* text :
       {"\u202Dabc 5\u202C", "\u202E\u05d0\u05d1\u202C abc", "\u202Babc\u202C", "\u2067abc\u2069",
        "\u202E5 6\u202Cabc", "\u05d0 \u202EA\u202C \u05d1", "abc\u202C"}) {
    EXPECT_THAT(found(text), IsEmpty()) << text;
  }
}

TEST(Disguise, InvisibleCharactersHideNothing) {
  EXPECT_THAT(found("с\u200b0\u00adциология"), ElementsAre("digit_in_word: с\u200b0\u00adциология"));
}

/// Two columns of ten lines each, as read across.
std::string two_columns(std::string_view left, std::string_view right, std::size_t width) {
  std::string lines = "A heading.\n\n";
  for (int i = 0; i < 10; ++i) {
    lines += left;
    lines.append(width - left.size(), ' ');
    lines += std::string(right) + "\n";
  }
  return lines;
}

TEST(Disguise, ColumnsOfProseReadAcrossAlertOnce) {
  const std::string page =
      two_columns("the words of a column on the left", "and others on the right of it", 40);
  const Disguise disguise = find_disguise(page + "\nA last line.\n");
  ASSERT_EQ(disguise.counts[AlertKind::two_columns], 1U);
  const TextRange range = disguise.alerts.front().range;
  EXPECT_EQ(slice_code_points(page, range.begin, range.end), page.substr(12, page.size() - 13));
}

TEST(Disguise, TablesAndListsAreNotColumns) {
  for (const auto& [left, right] : {std::pair("--flag", "what the flag is good for, in words"),
                                    std::pair("a name of it", "and its meaning in other words"),
                                    std::pair("1869 1873 1877 1878 1880 1881 1884", "four five six seven")})
    EXPECT_EQ(find_disguise(two_columns(left, right, 40)).counts[AlertKind::two_columns], 0U) << left;
}

TEST(Disguise, CountsAllAndListsTheFirst) {
  std::string text;
  for (std::size_t i = 0; i < kMaxAlerts; ++i) text += "т е к с т, с0лово, сп\u0301ор! ";
  const Disguise disguise = find_disguise(text);
  EXPECT_EQ(disguise.alerts.size(), kMaxAlerts);
  for (const AlertKind kind :
       {AlertKind::letter_spacing, AlertKind::digit_in_word, AlertKind::impossible_mark}) {
    EXPECT_EQ(disguise.counts[kind], kMaxAlerts);
  }
  EXPECT_EQ(disguise.counts.total(), 3 * kMaxAlerts);
  EXPECT_EQ(disguise.alerts[999].kind, AlertKind::letter_spacing);
  EXPECT_EQ(disguise.alerts[999].range.begin, 333U * 26);
}

TEST(Disguise, MergedAlertsAreInTheOrderOfTheText) {
  AlertCounts scanned;
  scanned[AlertKind::zero_width] = 1200;
  const Disguise disguise = find_disguise("слово с0лово", scanned, {{AlertKind::zero_width, {0, 5}}});
  ASSERT_EQ(disguise.alerts.size(), 2U);
  EXPECT_EQ(disguise.alerts[0].kind, AlertKind::zero_width);
  EXPECT_EQ(disguise.counts.total(), 1201U);
}

TEST(Disguise, WordsOfLookAlikesAmongWordsOfTheOtherScriptAreMixed) {
  EXPECT_THAT(found("Он взял ee за руку"), ElementsAre("mixed_script: ee"));
  EXPECT_THAT(found("вынесли cop из дома"), ElementsAre("mixed_script: cop"));
}

TEST(Disguise, WordsOfLookAlikesAtAChangeOfScriptAreNot) {
  for (const char* text :
       {"книга a book", "See a сор там", "x и y", "глава XX книги", "витамин C и план B для"})
    EXPECT_THAT(found(text), IsEmpty()) << text;
}

}  // namespace
}  // namespace akin
