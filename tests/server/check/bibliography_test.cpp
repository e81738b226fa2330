#include "server/check/bibliography.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace akin::check {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> lists(std::string_view text) {
  std::vector<std::string> found;
  for (const TextRange& range : find_bibliographies(text)) {
    found.emplace_back(slice_code_points(text, range.begin, range.end));
  }
  return found;
}

class Heading : public ::testing::TestWithParam<const char*> {};

TEST_P(Heading, BeginsAListThatGoesToTheEnd) {
  const std::string list = std::string(GetParam()) + "\n1. Ivanov I. A book.\n\n2. Another.";
  EXPECT_THAT(lists("Text.\n" + list + "\n\n"), ElementsAre(list));
}

INSTANTIATE_TEST_SUITE_P(
    Spellings, Heading,
    ::testing::Values("Литература", "СПИСОК ЛИТЕРАТУРЫ", "5. Список использованных источников:", "References",
                      "VI. Bibliography", "## Works cited", "Literaturverzeichnis",
                      "Список використаних джерел", "Бібліографія.",
                      "Список использованной литературы и источников", "Перелік посилань",
                      "Quellen- und Literaturverzeichnis", "Použitá literatura", "Kaynakça",
                      "Bibliographie sommaire", "Felhasznált irodalom", "Källor och litteratur",
                      "Список цитованої літератури", "Notes and References", "Lähteet",
                      "Bibliographie et sources", "Wykaz źródeł i literatury", "Перелік джерел посилання",
                      "Verzeichnis der verwendeten Literatur", "Obras citadas",
                      "Zoznam bibliografických odkazov", "Käll- och litteraturförteckning", "Βιβλιογραφία",
                      "قائمة المراجع", "רשימת מקורות", "参考文献", "Tài liệu tham khảo",
                      "Пайдаланылған әдебиеттер тізімі", "Viri in literatura"));

TEST(Bibliography, EndsBeforeAnAppendix) {
  EXPECT_THAT(lists("Text.\nЛитература\n1. Книга.\n\nПриложение А. Анкета\nТекст."),
              ElementsAre("Литература\n1. Книга."));
}

/// A chapter may have a list of its own.
TEST(Bibliography, EndsWhereEntriesEnd) {
  const std::string list =
      "References\n\n1. Author A. A book of mills. London, 1810.\n\nAuthor B. Of rivers,\n"
      "and of bridges. 1815.";
  std::string prose;
  while (prose.size() < 400) prose += "The miller kept two grey geese behind the mill. ";
  EXPECT_THAT(lists("Text.\n" + list + "\n\nChapter 2\n\n" + prose + "\n\nThe end."), ElementsAre(list));
  EXPECT_THAT(
      lists("Text.\n" + list + "\n\nChapter 2\n\nThe miller kept two geese.\n\nThey crossed the yard.\n\n" +
            "He opened the gate."),
      ElementsAre(list));
  const std::string with_gap = list + "\n\nPeriodicals\n\n3. The Mill. 1820.";
  EXPECT_THAT(lists("Text.\n" + with_gap), ElementsAre(with_gap));
}

/// Two sentences of more than ten words each, 300 code points together, with a year.
std::string prose_of(int year) {
  const std::string in = "In " + std::to_string(year);
  return in +
         " the miller of the upper valley built a second wheel, and the notary wrote down what every stone "
         "of it had cost and who had carried it there. The village paid for the bridge beside it with "
         "the money that the last three harvests had left, and nobody complained of the price until the "
         "river took both of them away.";
}

/// Years are in every paragraph of a history.
TEST(Bibliography, EndsWhereAChapterBeginsThatNamesYears) {
  const std::string list = "References\n\n1. Author A. A book of mills. London, 1810.\n\n2. Rivers. 1815.";
  EXPECT_THAT(lists("Text.\n" + list + "\n\n" + prose_of(1861) + "\n\n" + prose_of(1864) + "\n\n" +
                    prose_of(1891) + "\n\nIn 1897 he died."),
              ElementsAre(list));
  std::string wrapped = "\n\n" + prose_of(1861) + "\n\n" + prose_of(1864) + "\n\nIn 1897 he died.";
  for (std::size_t at = 60; at < wrapped.size(); at += 60)
    if ((at = wrapped.find(' ', at)) != std::string::npos) wrapped[at] = '\n';
  EXPECT_THAT(lists("Text.\n" + list + wrapped), ElementsAre(list));
}

/// A number before it makes no entry of a passage.
TEST(Bibliography, ProseBetweenEntriesIsNone) {
  const std::string first = "References\n1. Author A. A book of mills. London, 1810.",
                    last = "3. Rivers. 1815.";
  EXPECT_THAT(lists("Text.\n" + first + "\n2. " + prose_of(1861) + "\n" + last), ElementsAre(first, last));
  const std::string long_title =
      "2. On the approval of the rules by which the mills of the upper valley shall be built, repaired, let "
      "and "
      "sold, with the fees that the notary of the district may take for each of these acts, and with the "
      "forms "
      "that he shall use for them: order of the ministry of rivers and roads of 22 February 1820, no. 121 // "
      "Gazette. 1820. No. 3. P. 12-34. URL: https://example.org/rules";
  EXPECT_THAT(lists("Text.\n" + first + "\n" + long_title + "\n" + last),
              ElementsAre(first + "\n" + long_title + "\n" + last));
}

TEST(Bibliography, ShowsItselfByItsEntries) {
  const std::string list =
      "Was ich las\n\nIvanov, I. A. A book of mills. London, 1810. 20 p.\n\nО реках. – Москва, 1920.\n\n"
      "Петров П. П. О мостах,\nи не только. – Москва, 1920.\n\nVries, J. de. Bruggen. https://example.org\n\n"
      "Smith, J. Bridges // The Mill. 1830.";
  EXPECT_THAT(lists("The miller kept two geese.\n\n" + list + "\n\nHe opened the gate in spring."),
              ElementsAre(list));
  EXPECT_THAT(lists("Text.\n\n[1] J. Smith, A book, 1999.\n[2] A. Jones, Rivers,\nand bridges, 2001.\n"
                    "[3] B. Miller, Mills, 2003.\n[4] C. Smith, Gates, 2004."),
              ElementsAre("[1] J. Smith, A book, 1999.\n[2] A. Jones, Rivers,\nand bridges, 2001.\n"
                          "[3] B. Miller, Mills, 2003.\n[4] C. Smith, Gates, 2004."));
}

TEST(Bibliography, ChronicleIsNone) {
  EXPECT_THAT(lists("1. In 1810 the mill burned down.\n\n2. In 1815 A. Smith built it again.\n\n"
                    "3. In 1820 the river rose.\n\n4. In 1830 it was sold.\n\n5. In 1840 it fell."),
              IsEmpty());
  EXPECT_THAT(lists("А. С. Пушкин родился в 1799 году.\n\nА. С. Пушкин учился с 1811 года.\n\n"
                    "А. С. Пушкин уехал в 1820 году.\n\nА. С. Пушкин вернулся в 1826 году."),
              IsEmpty());
}

TEST(Bibliography, LineOfATableOfContentsIsNoHeading) {
  EXPECT_THAT(lists("Введение ... 3\nСписок литературы ... 45\nТекст."), IsEmpty());
}

TEST(Bibliography, SentenceThatNamesOneIsNoHeading) {
  EXPECT_THAT(lists("Литература XIX века богата.\nReferences to it are many."), IsEmpty());
}

}  // namespace
}  // namespace akin::check
