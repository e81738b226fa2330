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

constexpr const char* kThai = "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ";
constexpr const char* kChinese =
    "鉴于对人类家庭所有成员的固有尊严及其平等的和不移的权利的承认,乃是世界自由、正义与和平的基础,"
    "鉴于对人权的无视和侮蔑已发展"
    "为野蛮暴行,这些暴行玷污了人类的良心";
constexpr const char* kJapanese =
    "人類社会のすべての構成員の固有の尊厳と平等で譲ることのできない権利とを承認することは、世界における自由、"
    "正義及び平和の基礎で"
    "あるので、人権の無視及び軽侮が、人類の良心を踏みにじった野蛮行為をもたらし";
/// Words that no dictionary of today has.
constexpr const char* kMiddleEnglish =
    "whan aprille shoures soote droghte perced roote bathed veyne swich vertu flour eek swete breeth "
    "inspired "
    "holt tendre croppes yonge sonne halfe cours yronne smale foweles maken melodye slepen nyght priketh hir "
    "corages thanne longen folk goon pilgrimages palmeres seken straunge strondes ferne halwes kowthe sondry";
constexpr const char* kOldRussian =
    "бяшетъ братие начяти старыми словесы трудныхъ повестий пълку игореве святъславлича начати песни "
    "былинамь "
    "сего бояню боянъ вещий хотяше творити растекашется мыслию древу серымъ вълкомъ земли шизымъ орломъ "
    "облакы помняшеть рече първыхъ временъ усобице пущашеть соколовь который дотечаше преди пояше";

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

TEST(LanguageOf, IsEmptyWhereOnlyTheScriptIsKnown) { EXPECT_EQ(language_of(kThai), ""); }

TEST(LanguageOf, KnowsScriptsOfManyLettersByTheirNumber) {
  constexpr std::u32string_view kCyrillic = U"абвгдеёжзийклмнопрстуфхцчшщъыьэюя";
  constexpr std::u32string_view kInHan =
                                    U"一万与丕东丣个丱丸丿乆乍乔乛乢乩买乷乾亅二亓亚亡亨亯亶亽仄介仒仙仠",
                                kInHangul =
                                    U"가개갸걔거게겨계고과괘괴교구궈궤귀규그긔기까깨꺄꺠꺼께껴꼐꼬꽈꽤꾀",
                                kInKana =
                                    U"あぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢ";
  EXPECT_EQ(language_of(kKorean), "ko");
  EXPECT_EQ(language_of(kChinese), "zh");
  EXPECT_EQ(language_of(kJapanese), "ja");
  for (const std::u32string_view others : {kInHan, kInHangul, kInKana})
    EXPECT_EQ(language_of(exchanged(kRussian, kCyrillic, others)), "");
}

/// For CLD2 they are English and Russian.
TEST(OlderLanguageOf, IsOfTextsThatPassForTodays) {
  EXPECT_EQ(older_language_of("de", kGerman), "");
  EXPECT_EQ(older_language_of("en", kMiddleEnglish), "enm");
  EXPECT_EQ(older_language_of("ru", kOldRussian), "cu");
  EXPECT_EQ(
      older_language_of("en",
                        "tbe old niill stood by tlie river aud its wbeel liad not turned for inany years tbe "
                        "miller wlio was a tall rnan witb a grey beard used to sit upou tbe beucb"),
      "");
  EXPECT_EQ(older_language_of("ru",
                              "хлынрв княгиця горькб улыбнулпсь кспомнила чднажды пофнила свеклы бечером "
                              "вкуспый обжд разговпривал"),
            "");
}

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
