#include "server/check/quotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace akin::check {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> quotations_of(std::string_view text) {
  std::vector<std::string> found;
  for (const TextRange& range : find_quotations(text)) {
    found.emplace_back(slice_code_points(text, range.begin, range.end));
  }
  return found;
}

struct Case {
  const char* text;
  const char* quotation;
};

class OneQuotation : public ::testing::TestWithParam<Case> {};

TEST_P(OneQuotation, IsFoundWithItsMarks) {
  EXPECT_THAT(quotations_of(GetParam().text), ElementsAre(GetParam().quotation));
}

INSTANTIATE_TEST_SUITE_P(
    Marks, OneQuotation,
    ::testing::Values(Case{"Он сказал: «Да, я здесь». И ушёл.", "«Да, я здесь»"},
                      Case{"Er sagte „ja“ und ging.", "„ja“"}, Case{"Rzekł: „tak” i poszedł.", "„tak”"},
                      Case{"She said “yes” and left.", "“yes”"}, Case{"Han sade ”ja” och gick.", "”ja”"},
                      Case{"Er sagte »ja« und ging.", "»ja«"}, Case{"It's \"so\" and isn't.", "\"so\""},
                      Case{"彼は「はい」と言った。", "「はい」"}, Case{"Er sagte „ja\" und ging.", "„ja\""},
                      Case{"She said ‘it’s the boy’s’ and left.", "‘it’s the boy’s’"},
                      Case{"Er sagte ‚ja‘ und ging.", "‚ja‘"}, Case{"Il dit ‹oui› et partit.", "‹oui›"},
                      Case{"Hän sanoi »kyllä» ja lähti.", "»kyllä»"}, Case{"قال ”نعم“ وذهب.", "”نعم“"},
                      Case{"قال ’نعم‘ وذهب.", "’نعم‘"}, Case{"Рекао је ‘да‘ и отишао.", "‘да‘"},
                      Case{"She said “yes\" and left.", "“yes\""},
                      Case{"She said \"yes” and left.", "\"yes”"}, Case{"He said ❝yes❞ and left.", "❝yes❞"},
                      Case{"她說〝是〞。", "〝是〞"}, Case{"她說﹁是﹂。", "﹁是﹂"},
                      Case{"הוא אמר ״כן״ והלך.", "״כן״"},
                      Case{"Одна «строка\nи другая» здесь.", "«строка\nи другая»"}));

TEST(Quotations, InnerOneIsPartOfTheOuter) {
  EXPECT_THAT(quotations_of("Да «он читал „Мир“ вслух» вот."), ElementsAre("«он читал „Мир“ вслух»"));
}

TEST(Quotations, MarkWithoutPartnerQuotesNothing) {
  EXPECT_THAT(quotations_of("Вот « и больше ничего. A 5\" disk."), IsEmpty());
}

TEST(Quotations, ApostrophesQuoteNothing) {
  EXPECT_THAT(quotations_of("The boys’ and girls’ books, it’s, צה״ל, rock ’n’ roll."), IsEmpty());
}

TEST(Quotations, GoOnInParagraphsThatBeginWithTheSameMark) {
  EXPECT_THAT(quotations_of("He wrote: “One.\n\n“Two.\n\n“Three.” He left."),
              ElementsAre("“One.", "“Two.", "“Three.”"));
  EXPECT_THAT(quotations_of("He wrote: “One.\n\nTwo.”"), IsEmpty());
  EXPECT_THAT(quotations_of("Он писал: «Раз „два“.\n\n«Три». Ушёл."), ElementsAre("«Раз „два“.", "«Три»"));
}

TEST(Quotations, MarkBehindAWordBeginsNone) {
  EXPECT_THAT(quotations_of("A 5\" disk and a 3\" one, end» and «begin."), IsEmpty());
}

TEST(Quotations, MarkWithoutPartnerDoesNotHideTheNext) {
  EXPECT_THAT(quotations_of("Вот « так, “yes” и всё."), ElementsAre("“yes”"));
}

TEST(Quotations, EndWithTheirParagraph) {
  EXPECT_THAT(quotations_of("Начало «без конца.\n \nКонец» без начала «и» всё."), ElementsAre("«и»"));
}

TEST(Quotations, LinesBehindAnAngleAreABlock) {
  EXPECT_THAT(quotations_of("Own.\n> one\n  > two\nOwn."), ElementsAre("> one\n  > two"));
}

/// A text of wrapped lines, and a block in it.
std::string with_block(const std::string& block) {
  const std::string own =
      "The miller kept two grey geese behind the mill,\nand they crossed the yard each day.\n";
  return own + "\n" + block + "\n\n" + own + own + own + own + own;
}

TEST(Quotations, IndentedBlockIsOne) {
  const std::string block =
      "    When the river rose in April, the lower meadow\n    lay under water, for nine days and more.";
  EXPECT_THAT(quotations_of(with_block(block)), ElementsAre(block));
  EXPECT_THAT(
      quotations_of(with_block("\tWhen the river rose in April, the lower meadow lay under water again.")),
      ElementsAre("\tWhen the river rose in April, the lower meadow lay under water again."));
}

TEST(Quotations, IndentedBlocksOfAnOutlineAreNone) {
  const std::string own = "The miller kept two grey geese behind the mill, and they crossed the yard.\n\n";
  const std::string block = "    When the river rose in April, the lower meadow lay under water again.\n\n";
  EXPECT_THAT(quotations_of(own + own + block + own + block + own), IsEmpty());
}

TEST(Quotations, IndentsForOtherReasonsAreNone) {
  for (const char* block :
       {"        A short heading",
        "    When the river rose in April, the lower meadow\nlay under "
        "water, for nine days and more, they said.",
        "    1. When the river rose in April, the lower meadow lay under\n    2. water, for nine "
        "days and more",
        "    April      river      meadow      water      days\n    nine      two      grey      "
        "geese      mill      yard      day"}) {
    EXPECT_THAT(quotations_of(with_block(block)), IsEmpty()) << block;
  }
  const std::string indented =
      "  The miller kept two grey geese behind the mill, and crossed the yard each day.\n\n";
  EXPECT_THAT(quotations_of(indented + indented + indented), IsEmpty());
  const std::string wrapped =
      "    The miller kept two grey geese behind the mill,\nand crossed\nthe yard.\n\n";
  EXPECT_THAT(quotations_of(wrapped + wrapped + "  " + indented), IsEmpty());
}

TEST(Quotations, AngleInsideALineIsNone) { EXPECT_THAT(quotations_of("if a > b\n     > code"), IsEmpty()); }

TEST(Quotations, CellsOfTablesAreNone) {
  EXPECT_THAT(quotations_of("\"Sample Name\"\t\"Protocol REF\"\t\"\"\n\"one two\"\t3\nUnit\t\"four\""),
              IsEmpty());
  EXPECT_THAT(quotations_of("\"one two\",\"three, four\",5\n\"six\";\"seven\""), IsEmpty());
  EXPECT_THAT(quotations_of("\"Yes,\" she said, \"but\", \"no\","),
              ElementsAre("\"Yes,\"", "\"but\"", "\"no\""));
  EXPECT_THAT(quotations_of("\t«Да», сказал он."), ElementsAre("«Да»"));
}

TEST(Quotations, DeepNestingTakesNoTimeBeyondItsLength) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "«」";
  EXPECT_THAT(quotations_of(text), IsEmpty());
}

}  // namespace
}  // namespace akin::check
