// Which alerts a check gives: what authors do who disguise a text, and what honest texts have, too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "morph/disguise/disguise.h"
#include "morph/disguise/disguised_words.h"
#include "morph/normalize/alert_cluster.h"
#include "tests/morph/disguise/alerted_words.h"
#include "tests/morph/tiny_dictionary.h"

namespace akin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ClearDisguise : public ::testing::Test {
 protected:
  /// The covered words of the alerts of one kind.
  std::vector<std::string> found(const std::string& text, AlertKind kind) const {
    return alerted_words(text, *dictionary_, kind);
  }
  std::vector<std::string> mixed(const std::string& text) const {
    return found(text, AlertKind::mixed_script);
  }

  std::shared_ptr<const Dictionary> dictionary_ =
      tiny_dictionary("слово текст работа ее сор сорока число numbers dragons holiday copy");
};

/// `count` words in capitals and small letters of one script, which separate what is far apart.
std::string words(std::size_t count, const std::string& word = "иначе ") {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += word;
  return all;
}

TEST_F(ClearDisguise, ThreeMixedWordsNearEachOtherAlert) {
  EXPECT_THAT(mixed("Это cлово, тeкст, рaбота."), ElementsAre("cлово", "тeкст", "рaбота"));
  EXPECT_THAT(mixed("Это cлово и тeкст."), IsEmpty());
  EXPECT_THAT(mixed("cлово, тeкст " + words(400) + "рaбота"), IsEmpty());
  EXPECT_THAT(mixed(words(400) + "cлово " + words(90) + "тeкст " + words(90) + "рaбота"), SizeIs(3));
}

TEST_F(ClearDisguise, WordsInLettersThatOnlyLookLatinAlert) {
  for (const char* disguised : {"🇳🇺🇲🇧🇪🇷🇸 🇩🇷🇦🇬🇴🇳🇸 🇭🇴🇱🇮🇩🇦🇾", "⒩⒰⒨⒝⒠⒭⒮ ⒟⒭⒜⒢⒪⒩⒮ ⒣⒪⒧⒤⒟⒜⒴", "ɗrɑɠønʂ ɦøɭɨɗɑɏ cøpɏ",
                                "ɲųɱƀęɽş đɽąǥøɲş ɦǫłįđąɏ", "sɹǝqɯnu ʎɐpᴉloɥ ʎdoɔ"})
    EXPECT_THAT(mixed(disguised), SizeIs(3)) << disguised;
}

TEST_F(ClearDisguise, LanguagesWithHooksAndStrokesAndFlagsDoNot) {
  for (const char* honest :
       {"Ƙasar ta ɗauki ɗalibai da ɓarayi; ya faɗi ɗaya daga cikin ɓangarori.",
        "Đây là được đường đi đến đó, đang đợi.", "ðə ˈnʌmbərz əv ˈdræɡənz ɒn ə ˈhɒlɪdeɪ",
        "🇩🇪🇫🇷🇮🇹 🇵🇱🇨🇿🇺🇦 🇭🇺🇬🇧", "ɹɛd ˈɹɐʃən ɹəʊz ˈbɹʌðə ðɐ ˈnɐmbəɹz", "łódź żółć Øresund Þórður"})
    EXPECT_THAT(mixed(honest), IsEmpty()) << honest;
}

TEST_F(ClearDisguise, WordsOfALanguageWithSuchLettersAreItsOwn) {
  EXPECT_THAT(mixed("ɗrɑɠønʂ ɦøɭɨɗɑɏ cøpɏ ɖeƒe ɗɑɗɑ ɠøɠø"), IsEmpty());
  EXPECT_THAT(mixed(words(29, "cøpɏ ")), IsEmpty()) << "as Ewe repeats ɖoɖo, which is dodo in English";
}

TEST_F(ClearDisguise, OneMixedWordIsAMisprintUntilItRepeats) {
  EXPECT_THAT(mixed(words(4, "Jеаn ")), IsEmpty());
  EXPECT_THAT(mixed(words(5, "чтo ")), SizeIs(5));
}

TEST_F(ClearDisguise, WordsThatPassForNoneAreNotMixed) {
  for (const char* word :
       {"debhelperом", "ХIХ", "IIІ", "пóдать", "Домá",           "нí",        "мораw", "эwрэй",
        "δv",          "μm",  "2δv", "αä",     "Sophieпоказати", "рюрикcopy", "Крh8",  "Крxe5",
        "слово",       "оb",  "тb",  "еe"}) {
    EXPECT_FALSE(DisguisedWords(*dictionary_).imitates(word)) << word;
  }
  EXPECT_THAT(mixed(words(12, "βtxt βixij ")), IsEmpty()) << "formulas";
  for (const char* text :
       {"b’’нb’’b’’уb’’b’’жb’’ ", "Sophieпоказати ", "diff'ов ", "Jérôme’ом ", "PDF-файл ", "μm-tall "})
    EXPECT_THAT(mixed(words(12, text)), IsEmpty()) << text;
}

TEST_F(ClearDisguise, WordsWithLookAlikesAreMixed) {
  for (const char* word :
       {"cлово", "слoвo", "тeкст", "Mахмет", "сайтi", "wоrd", "ехаmрle", "γамма", "copока", "λογoς", "чтo"})
    EXPECT_TRUE(DisguisedWords(*dictionary_).imitates(word)) << word;
}

TEST_F(ClearDisguise, KeyboardWithoutTheCyrillicIMakesNoMixedWords) {
  const std::string typed = "Вiн сидiв бiля хати i дивився на сiрi хмари, а другiй їхав. ";
  EXPECT_THAT(mixed(words(9, typed)), IsEmpty());
  EXPECT_THAT(mixed(words(9, "Украïна, сiрi iдеï. ")), IsEmpty());
  EXPECT_THAT(mixed("Огляд літератури. " + words(9, typed)), IsEmpty());
  EXPECT_THAT(mixed("Він бачить: " + typed), SizeIs(::testing::Ge(5U))) << "this keyboard has the letter";
  EXPECT_THAT(mixed(typed + "А cлово, тeкст, рaбота."), ElementsAre("cлово", "тeкст", "рaбота"));
}

TEST_F(ClearDisguise, LanguagesThatAreTypedWithLettersOfAnotherScriptAreNotMixed) {
  for (const char* honest :
       {"Чăваш чĕлхи ушкăнне кĕрекен. Çакăн çинчен пирĕн çулсерен кӳршĕ, ÿсĕм.",  // Chuvash
        "Ирон æвзаг у адæмы æвзаг. Æвзаджы тыххæй хæдзар, зæрдæ, сæрмæ.",         // Ossetian
        "Нохчийн цlа, бlаьрг, кlант, хlума, тlехь, аьттехьа а гlали.",            // Chechen
        "HRы в Telegramе, Windowsа и Linuxа, Pythonа нет, Excelе и Javaа.",
        "1.e4 e5 2.Кf3 Кc6 3.Сb5 Кbd7 4.Кge2 Сxf7 5.Кxe5 Сxd3 6.Кfxd4 Сxc4"}) {
    EXPECT_THAT(mixed(words(5, std::string(honest) + " ")), IsEmpty()) << honest;
  }
  EXPECT_THAT(found(words(5, "г1алин т1улгаш ц1ахь хь1алха "), AlertKind::digit_in_word), IsEmpty());
  EXPECT_THAT(mixed("чисlо, сlово, cлово, тeкст, рaбота"), ElementsAre("cлово", "тeкст", "рaбота"))
      << "l looks like no letter of Russian";
  EXPECT_THAT(mixed("numberѕ dragonѕ copу, holidaу"), SizeIs(4)) << "the dictionary has them";
  EXPECT_THAT(mixed("çлoво, тăкcт, рăбoта"), SizeIs(3)) << "and other letters beside it do";
}

TEST_F(ClearDisguise, WholeWordsOfLookAlikesMustBeWordsOfTheOtherScript) {
  EXPECT_THAT(mixed("Он взял ee за cop, и ee, и cop, и."), IsEmpty());
  EXPECT_THAT(mixed("Он взял ee за cop, за рaботу, и ee, и."), ElementsAre("ee", "cop", "рaботу", "ee"));
  EXPECT_THAT(mixed(words(9, "Диски ISO и PXE, exec, PPP. ")), IsEmpty());
  EXPECT_THAT(mixed(words(9, "Он взял ee. ")), IsEmpty());
}

TEST_F(ClearDisguise, ThreeWordsWithDigitsThatDictionariesHaveWithLettersAlert) {
  const auto digits = [&](const std::string& text) { return found(text, AlertKind::digit_in_word); };
  EXPECT_THAT(digits("num8ers, drag0ns, h0liday"), SizeIs(3));
  EXPECT_THAT(digits("num8ers, drag0ns, holiday"), IsEmpty());
  EXPECT_THAT(digits("pod2man help2man md5sum sha1sums rst2man a1bcd"), IsEmpty());
  EXPECT_THAT(digits("р4бота, сл0во, ч1сло"), SizeIs(3));
  EXPECT_THAT(digits("нев3домый, чуж0й, т3кст"), SizeIs(3));
}

TEST_F(ClearDisguise, EmphasisAndTitlesAreNotSpacing) {
  const auto spaced = [&](const std::string& text) { return found(text, AlertKind::letter_spacing); };
  EXPECT_THAT(spaced("К р е с т ь я н  И в а н о в и ч  Р у т е н ш п и ц"), IsEmpty());
  EXPECT_THAT(spaced("Это т е к с т, р а б о т а, да с л о в о."), IsEmpty());
  EXPECT_THAT(spaced("Это т е к с т, р а б о т а, ч и с л о, да с л о в о."), SizeIs(4));
  EXPECT_THAT(spaced(words(4, "т е к с т а, " + words(150))), IsEmpty());
  EXPECT_THAT(spaced("Т Е К С Т\n\nР А Б О Т А\n\nЧ И С Л О\n\nС Л О В О\n\nТ Е К С Т\n"), IsEmpty())
      << "headings";
  EXPECT_THAT(spaced(words(16, "Т Е К С Т, ")), SizeIs(16));
  EXPECT_THAT(spaced(words(65, "т е ")), SizeIs(13));
  EXPECT_THAT(spaced(words(60, "т е ")), IsEmpty());
  EXPECT_THAT(spaced(words(15, "C L C L L NL. ")), IsEmpty()) << "cells of a table";
  EXPECT_THAT(spaced(words(16, "C L C L L NL. ")), SizeIs(16));
}

TEST_F(ClearDisguise, OtherKindsNeedNoOthers) {
  EXPECT_THAT(found("сп\u0301ор", AlertKind::impossible_mark), SizeIs(1));
  EXPECT_THAT(found("сло\uE432о", AlertKind::private_use), SizeIs(1));
  EXPECT_THAT(found("\u202Eовелс\u202C", AlertKind::bidi_override), SizeIs(1));
}

TEST_F(ClearDisguise, ThreeWordsWithMarksOnMostLettersAlertIfTheyAreWordsWithoutThem) {
  const auto marked = [&](const std::string& text) { return found(text, AlertKind::impossible_mark); };
  EXPECT_THAT(marked("ṅüṁḅëṛṡ äṅḋ ḋṛäġöṅṡ, ḧöḷïḋäÿ"), ElementsAre("ṅüṁḅëṛṡ", "ḋṛäġöṅṡ", "ḧöḷïḋäÿ"));
  EXPECT_THAT(marked("с\u0308л\u0308о\u0308в\u0308о\u0308, т\u0307е\u0307к\u0307с\u0307т\u0307, "
                     "ч\u0307и\u0307с\u0307л\u0307о\u0307"),
              SizeIs(3));
  EXPECT_THAT(marked("ṅüṁḅëṛṡ, ḋṛäġöṅṡ"), IsEmpty());
  EXPECT_THAT(marked("ọ̀rọ̀ tí ọmọdé ńlá ẹ̀kọ́ pẹ̀lú ọ̀nà, được những tiếng"), IsEmpty());
}

TEST_F(ClearDisguise, OfTheScannersAlertsZeroWidthIsKept) {
  AlertCounts scanned;
  scanned[AlertKind::zero_width] = 1;
  scanned[AlertKind::mixed_script] = 3;
  const Disguise disguise =
      find_clear_disguise("cлово с0лово", *dictionary_, scanned,
                          {{AlertKind::mixed_script, {0, 5}}, {AlertKind::zero_width, {6, 12}}});
  EXPECT_EQ(disguise.counts.total(), 1U);
  ASSERT_THAT(disguise.alerts, SizeIs(1));
  EXPECT_EQ(disguise.alerts.front().kind, AlertKind::zero_width);
}

TEST_F(ClearDisguise, OperatorsOfFormulasAreNoSigns) {
  const std::string text = "sin\u2061θ, cop\u2062y, sin\u200Bθ";
  AlertCounts scanned;
  scanned[AlertKind::zero_width] = 3;
  const std::vector<Alert> listed = {
      {AlertKind::zero_width, {0, 5}}, {AlertKind::zero_width, {7, 12}}, {AlertKind::zero_width, {14, 19}}};
  const Disguise disguise = find_clear_disguise(text, *dictionary_, scanned, listed);
  EXPECT_EQ(disguise.counts[AlertKind::zero_width], 2U) << "of a word, and by another character";
  ASSERT_THAT(disguise.alerts, SizeIs(2));
  EXPECT_EQ(disguise.alerts.front().range.begin, 7U);
}

TEST_F(ClearDisguise, CountsAllAndListsTheFirst) {
  const Disguise disguise = find_clear_disguise(words(kMaxAlerts + 7, "cлово "), *dictionary_);
  EXPECT_EQ(disguise.counts[AlertKind::mixed_script], kMaxAlerts + 7);
  ASSERT_EQ(disguise.alerts.size(), kMaxAlerts);
  EXPECT_EQ(disguise.alerts.back().range.begin, 6U * (kMaxAlerts - 1));
}

TEST(AlertCluster, PassesEachRangeOnceAndForgetsTheFar) {
  AlertCluster cluster(100, 3);
  std::vector<std::uint32_t> passed;
  const auto take = [&](std::uint32_t at) {
    cluster.take({at, at + 1}, at, {}, [&](TextRange range) { passed.push_back(range.begin); });
  };
  for (const std::uint32_t at : {0U, 50U, 100U, 149U, 160U, 249U, 260U, 400U, 500U}) take(at);
  EXPECT_THAT(passed, ElementsAre(50U, 100U, 149U, 160U));
}

}  // namespace
}  // namespace akin
