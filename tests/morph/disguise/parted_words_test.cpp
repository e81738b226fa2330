// Words that are cut by what a reader hardly sees, and honest typesetting.
#include "morph/disguise/parted_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "morph/disguise/disguise.h"
#include "tests/morph/disguise/alerted_words.h"
#include "tests/morph/tiny_dictionary.h"

namespace akin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class PartedWords : public ::testing::Test {
 protected:
  std::vector<std::string> found(const std::string& text, AlertKind kind) const {
    return alerted_words(text, *dictionary_, kind);
  }
  std::vector<std::string> spaced(const std::string& text) const {
    return found(text, AlertKind::letter_spacing);
  }
  std::vector<std::string> unseen(const std::string& text) const {
    return found(text, AlertKind::zero_width);
  }

  std::shared_ptr<const Dictionary> dictionary_ =
      tiny_dictionary("мельница держал серых гусей утро дом numbers dragons holiday на мель ль not able");
};

/// The text with `gap` for each bar.
std::string with(std::string text, const std::string& gap) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + gap.size()))
    text.replace(at, 1, gap);
  return text;
}

constexpr const char* kThin[] = {"\u2009", "\u200a", "\u2006", "\u2004", "\u202f", "\u205f", "\u2009\u200a"};

TEST_F(PartedWords, ByThinBlanksAreLetterSpacing) {
  for (const char* gap : kThin) {
    EXPECT_THAT(spaced(with("мель|ница дер|жал се|ры|х", gap)), SizeIs(3)) << gap;
    EXPECT_THAT(spaced(with("num|bers d|ragons hol|id|ay", gap)), SizeIs(3)) << gap;
    EXPECT_THAT(spaced(with("мель|ница дер|жал", gap)), IsEmpty()) << gap;
    EXPECT_THAT(spaced(with("дер|жал дер|жал дер|жал", gap)), IsEmpty()) << gap;
  }
  EXPECT_THAT(spaced("Мель\u2009ница, дер\u2009жал и гу\u2009сей"),
              ElementsAre("Мель\u2009ница", "дер\u2009жал", "гу\u2009сей"));
}

TEST_F(PartedWords, BlanksBetweenAllWordsAreFoundWithTheWordsThatTheyCut) {
  EXPECT_THAT(spaced(with("на|мель|ница|дер|жал|се|рых|дом", "\u2009")),
              ElementsAre("мель\u2009ница", "дер\u2009жал", "се\u2009рых"));
}

TEST_F(PartedWords, TypesettingIsNone) {
  for (const char* gap : kThin) {
    for (const char* honest :
         {"10|000, 25|000 и 30|000|000", "5|% и 7|‰, 20|°C", "Quoi|! Non|? Oui|; Si|: «|dragons|»",
          "А.|С.|Пушкин, И.|С.|Тургенев", "A|S|Dragons, И|С|Утро, J|K|Numbers", "т.|е., и т.|д., z.|B.",
          "5|кг, 20|мин, №|5, §|7", "слово|—|слово", "на|дом на|утро not|able серых|гусей держал|дом",
          "мельница|держал|серых|гусей|утро", "sin|x, cos|y, ln|x, dx|dy", "г|у|с|е|й д|е|р|ж|а|л"})
      EXPECT_THAT(spaced(with(honest, gap)), IsEmpty()) << honest << gap;
  }
}

TEST_F(PartedWords, ByControlCharactersAreOfWhatIsNotSeen) {
  for (const char* gap : {"\x01", "\x07", "\x0e", "\x7f", "\u0080", "\u009f", "\f", "\v", "\u2028", "\ufffc",
                          "\ufff9", "\u2800"})
    EXPECT_THAT(unseen(with("мель|ница дер|жал гу|сей", gap)), SizeIs(3)) << gap;
  EXPECT_THAT(unseen(with("сө|з бі|рге ал|ма", "\x01")), SizeIs(3)) << "no dictionary has them";
}

TEST_F(PartedWords, WhatSeparatesWordsIsNone) {
  for (const char* gap : {"\f", "\v", "\u2028", "\x1f", "\ufffc", "\b", "\t"})
    EXPECT_THAT(unseen(with("держал|дом серых|гусей на|утро дом|мельница", gap)), IsEmpty()) << gap;
  EXPECT_THAT(unseen(with("держал|дом серых|гусей на|утро дом|мельница на|Казбеке дом|Облонских", "\x7f")),
              IsEmpty())
      << "no-break spaces of some converter";
  EXPECT_THAT(unseen(with("she|ll don|t wouldn|t dra|gons num|bers ho|liday", "\u0092")), IsEmpty());
  EXPECT_THAT(unseen("N\bNA\bAM\bME\bE S\bSY\bYN\bNO\bO D\bDE\bES\bSC\bC"), IsEmpty());
}

}  // namespace
}  // namespace akin
