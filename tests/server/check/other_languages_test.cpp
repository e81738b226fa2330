// Which texts are in a language without a dictionary, and which have exchanged letters. Texts: Universal
// Declaration of Human Rights.
#include "server/check/other_languages.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "server/check/language.h"
#include "tests/dict/tiny_pair.h"

namespace akin::check {
namespace {

using test::TinyDictionaries;

constexpr const char* kGerman =
    "da es notwendig ist, die Menschenrechte durch die Herrschaft des Rechtes zu schützen, damit der Mensch "
    "nicht gezwungen wird, als letztes Mittel zum Aufstand gegen Tyrannei und Unterdrückung zu greifen, da "
    "es "
    "notwendig ist, die Entwicklung freundschaftlicher Beziehungen zwischen den Nationen zu fördern";
constexpr const char* kUkrainian =
    "беручи до уваги, що народи Об'єднаних Націй підтвердили в Статуті свою віру в основні права людини, в "
    "гідність і цінність людської особи і в рівноправність чоловіків і жінок та вирішили сприяти соціальному "
    "прогресові і поліпшенню умов життя при більшій свободі";
constexpr const char* kTatar =
    "Кешенең төп хокукларына, шәхеснең абруена һәм кыйммәтенә, хатын кызларның һәм ирләрнең тигез "
    "хокуклылыгына, Берләшкән Милләтләр халыклары үзләренең ышанычын Уставта раславын истә тотып";
constexpr const char* kRussian =
    "принимая во внимание, что необходимо, чтобы права человека охранялись властью закона в целях "
    "обеспечения "
    "того, чтобы человек не был вынужден прибегать, в качестве последнего средства, к восстанию против "
    "тирании и угнетения";
constexpr const char* kGeorgian =
    "ვინაიდან წევრმა სახელმწიფოებმა იკისრეს ვალდებულება გაერთიანებული ერების ორგანიზაციასთან თანამშრომლობაში "
    "ხელი "
    "შეუწყონ ადამიანის უფლებათა და ძირითად თავისუფლებათა საყოველთაო პატივისცემასა და დაცვას";
constexpr const char* kVeps =
    "Kaik mehed sünduba joudajin i kohtaižin, ühtejiččin ičeze arvokahudes i oiktusiš. Heile om anttud mel’ "
    "i "
    "huiktusentund i heile tariž kožuda toine toiženke kut vel’l’kundad. Tariž, miše jogahižel mehel oližiba "
    "kaik "
    "oiktuded i valdad, miččed oma nimitadud neciš deklaracijas";
constexpr const char* kKorean = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다";

/// Letters of `from` become those at the same places of `to`.
std::string exchanged(std::string_view text, std::u32string_view from, std::u32string_view to) {
  std::u32string letters = to_utf32(text);
  for (char32_t& c : letters) {
    const std::size_t at = from.find(c);
    if (at != std::u32string_view::npos) c = to[at];
  }
  return to_utf8(letters);
}

TEST(LanguageOf, NamesTheLanguageOfARealText) {
  EXPECT_EQ(language_of(kGerman), "de");
  EXPECT_EQ(language_of(kUkrainian), "uk");
  EXPECT_EQ(language_of(kRussian), "ru");
  EXPECT_EQ(language_of(kGeorgian), "ka");
  EXPECT_EQ(language_name("de", "en"), "German");
  EXPECT_EQ(language_name("de", "ru"), "немецкий");
}

TEST(LanguageOf, KnowsLanguagesOfTheLargeTables) { EXPECT_EQ(language_of(kTatar), "tt"); }

TEST(LanguageOf, KnowsLanguagesThatCld2DoesNot) { EXPECT_EQ(language_of(kVeps), "vep"); }

TEST(LanguageOf, IsEmptyForExchangedLetters) {
  constexpr std::u32string_view kLatin = U"abcdefghijklmnopqrstuvwxyz", kNext = U"bcdefghijklmnopqrstuvwxyza";
  constexpr std::u32string_view kCyrillic = U"абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
                                kAfter = U"бвгдеёжзийклмнопрстуфхцчшщъыьэюяа",
                                kInGeorgian = U"აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ";
  EXPECT_EQ(language_of(exchanged(kGerman, kLatin, kNext)), "");
  EXPECT_EQ(language_of(exchanged(kUkrainian, kCyrillic, kAfter)), "");
  EXPECT_EQ(language_of(exchanged(kRussian, kCyrillic, kAfter)), "");
  EXPECT_EQ(language_of(exchanged(kRussian, kCyrillic, kInGeorgian)), "");
}

TEST(LanguageOf, IsEmptyWhereOnlyTheScriptIsKnown) { EXPECT_EQ(language_of(kKorean), ""); }

TEST(LanguageOf, IsEmptyForNothingAndForMuch) {
  EXPECT_EQ(language_of(""), "");
  EXPECT_EQ(language_of("1234 …"), "");
  std::string much;
  while (much.size() <= kMostLanguageBytes) much += kGerman;
  EXPECT_EQ(language_of(much), "");
}

class OtherLanguagesTest : public testing::Test {
 protected:
  TinyDictionaries files_;
  std::shared_ptr<const Dictionary> dictionary_ =
      TinyDictionaries::open(files_.config({files_.write("en", "SET UTF-8\n", "the\ncat\n")}));
};

TEST_F(OtherLanguagesTest, CountsThePartsOfEachLanguage) {
  const std::array<StylePart, 3> parts = {StylePart{{60, 40}, kGerman}, StylePart{{60, 50}, kUkrainian},
                                          StylePart{{60, 30}, kGerman}};
  const OtherLanguages found = find_other_languages(parts, *dictionary_, 0.2);
  ASSERT_EQ(found.languages.size(), 2U);
  EXPECT_EQ(found.languages[0].code, "de");
  EXPECT_EQ(found.languages[0].words, 70U);
  EXPECT_DOUBLE_EQ(found.languages[0].share, 70.0 / 180);
  EXPECT_EQ(found.languages[1].code, "uk");
  EXPECT_EQ(found.words, 180U);
  EXPECT_EQ(found.unknown, 120U);
}

TEST_F(OtherLanguagesTest, LeavesUsualPartsAndExchangedLettersOut) {
  const std::string secret = exchanged(kGerman, U"aeinrst", U"xqzvkwy");
  const std::array<StylePart, 2> parts = {StylePart{{60, 11}, kGerman}, StylePart{{60, 60}, secret}};
  const OtherLanguages found = find_other_languages(parts, *dictionary_, 0.2);
  EXPECT_TRUE(found.languages.empty());
  EXPECT_EQ(found.words, 0U);
}

TEST_F(OtherLanguagesTest, DoesNotListAFewWords) {
  const std::array<StylePart, 2> parts = {StylePart{{2000, 10}, "a"}, StylePart{{60, 40}, kGerman}};
  const OtherLanguages found = find_other_languages(parts, *dictionary_, 0.2);
  EXPECT_TRUE(found.languages.empty());
  EXPECT_EQ(found.unknown, 40U);
}

/// A dictionary may be named by its file.
TEST_F(OtherLanguagesTest, LeavesOutLanguagesThatHaveADictionary) {
  const auto german = TinyDictionaries::open(files_.config({files_.write("de_AT", "SET UTF-8\n", "der\n")}));
  const std::array<StylePart, 1> parts = {StylePart{{60, 40}, kGerman}};
  EXPECT_TRUE(find_other_languages(parts, *german, 0.2).languages.empty());
}

}  // namespace
}  // namespace akin::check
