// Hidden text of a PDF's pages: what an author hides, and what printing and cutting leave.
#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

#include "extract/child/readers.h"
#include "tests/extract/child/sample_files.h"

namespace akin::extract {
namespace {

const std::string kSeen = "BT /F 12 Tf 72 700 Td (The text of this page that everybody sees.) Tj ET\n";
const std::vector<std::string> kPassage = {
    "The miller kept two grey geese behind the mill,", "and every morning they crossed the yard",
    "before he had opened the gate to the meadow",     "that lay behind the dam of the old reservoir.",
    "When the river rose in April, the lower meadow",  "stood under water for nine days and nobody knew."};

std::string passage_at(int x) {
  std::string content;
  for (std::size_t i = 0; i < kPassage.size(); ++i)
    content += "BT /F 12 Tf " + std::to_string(x) + " " + std::to_string(600 - 14 * static_cast<int>(i)) +
               " Td (" + kPassage[i] + ") Tj ET\n";
  return content;
}

Document read_warm(const std::string& pdf) {
  static const bool warm = (warm_up_pdf(), true);
  EXPECT_TRUE(warm);
  return *read_file(pdf, std::uint64_t{1} << 20U);
}

Document read_pages(const std::vector<std::string>& pages) { return read_warm(make_pdf_of(pages)); }

TEST(HiddenOnPages, APassageOutsideOfThePageIsReported) {
  const Document document = read_pages({kSeen + passage_at(-400)});
  EXPECT_EQ(document.text, "The text of this page that everybody sees.");
  for (const std::string& line : kPassage) EXPECT_NE(document.hidden.find(line), std::string::npos) << line;
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].ways, set_of(Hiding::outside));
}

TEST(HiddenOnPages, APassageOutsideOfTheClipIsReported) {
  EXPECT_FALSE(read_pages({kSeen + "q 300 300 10 10 re W n " + passage_at(72) + "Q"}).hidden.empty());
}

TEST(HiddenOnPages, APrintersNoteOutsideOfThePageIsNot) {
  const Document document = read_pages({kSeen + "BT /F 8 Tf 72 -30 Td (essay_final_3.indd 12) Tj ET"});
  EXPECT_EQ(document.text, "The text of this page that everybody sees.");
  EXPECT_TRUE(document.alerts.empty());
}

TEST(HiddenOnPages, TheOtherHalfOfASpreadIsNot) {
  EXPECT_TRUE(read_pages({kSeen + passage_at(700), passage_at(72)}).alerts.empty());
  EXPECT_TRUE(read_pages({passage_at(72), kSeen + passage_at(-400)}).alerts.empty());
  EXPECT_FALSE(read_pages({passage_at(72), kSeen, kSeen + passage_at(-400)}).alerts.empty());
}

TEST(HiddenOnPages, TheRestOfAFieldIsReadWithItsBeginning) {
  std::string answer;
  for (const std::string& line : kPassage) answer += line + " ";
  answer.pop_back();
  const Document document = read_warm(make_pdf_with_field(kSeen, answer));
  EXPECT_EQ(document.text, "The text of this page that everybody sees.\n\n" + answer);
  EXPECT_TRUE(document.alerts.empty());
}

TEST(HiddenOnPages, AFieldThatShowsAllOfItsTextIsReadWhereItIs) {
  const std::string below = "BT /F 12 Tf 72 200 Td (And this is below the field.) Tj ET\n";
  const std::string text = read_warm(make_pdf_with_field(kSeen + below, "An answer of one line.")).text;
  EXPECT_LT(text.find("An answer of one line."), text.find("And this is below")) << text;
}

TEST(HiddenOnPages, AnInvisibleWordThatRunsOutOfThePageIsNot) {
  EXPECT_TRUE(read_pages({kSeen + "BT 7 Tr /F 30 Tf 620 500 Td (Helvetica) Tj ET"}).alerts.empty());
}

TEST(HiddenOnPages, TinyLettersInAPictureOfAPageAreNot) {
  const auto at_size = [](int size, int y) {
    return "BT /F " + std::to_string(size) + " Tf 72 " + std::to_string(y) +
           " Td (Lift your shoulder slowly up towards your ears.) Tj ET\n";
  };
  EXPECT_FALSE(read_pages({kSeen + at_size(1, 600)}).hidden.empty());
  const Document document = read_pages({kSeen + at_size(3, 602) + at_size(1, 600)});
  EXPECT_TRUE(document.hidden.empty());
  EXPECT_TRUE(document.alerts.empty());
}

TEST(HiddenOnPages, TheNameOfTheProgramIsNot) {
  const std::string name = "BT 3 Tr /F 4 Tf 72 20 Td (Powered by TCPDF \\(www.tcpdf.org\\)) Tj ET";
  EXPECT_TRUE(read_pages({kSeen + name}).alerts.empty());
}

TEST(HiddenOnPages, DigitsThatKeepColumnsApartAreNot) {
  EXPECT_TRUE(read_pages({kSeen + "1 g BT /F 12 Tf 72 600 Td (1 1 1 1 1) Tj ET"}).alerts.empty());
}

TEST(HiddenOnPages, WhiteLettersOnAColourThatCannotBeReadAreNot) {
  const std::string area = " 1 0 0 scn 0 0 612 792 re f ";
  const auto page = [](const std::string& ground) {
    return read_pages({"1 g " + ground + "1 g " + passage_at(72)});
  };
  EXPECT_TRUE(page("/Missing cs" + area).alerts.empty());
  EXPECT_TRUE(page("/DeviceRGB cs" + area).alerts.empty());
  EXPECT_FALSE(page("/DeviceRGB cs 1 1 1 scn 0 0 612 792 re f ").alerts.empty());
  EXPECT_FALSE(page("/Missing cs 1 1 1 rg 0 0 612 792 re f ").alerts.empty()) << "another colour is set";
}

TEST(HiddenOnPages, WhatPagesRepeatButForNumbersCountsOnce) {
  std::vector<std::string> pages;
  for (int i = 1; i <= 5; ++i)
    pages.push_back(kSeen + "1 g BT /F 8 Tf 72 400 Td (Job 190069 Frame " + std::to_string(i) + ") Tj ET");
  EXPECT_EQ(read_pages(pages).hidden, "Job 190069 Frame 1");
  EXPECT_EQ(read_pages({pages[0], pages[1]}).hidden, "Job 190069 Frame 1 Job 190069 Frame 2");
}

TEST(HiddenOnPages, APrintersNoteInTheMarginIsNot) {
  const auto note = [](int y, const std::string& words) {
    return "1 g BT /F 8 Tf 72 " + std::to_string(y) + " Td (" + words + ") Tj ET 0 g\n";
  };
  const std::string job =
      "VerDate Apr 27 10:56 Jkt 190069 PO 00000 Frm 00079 Fmt 8010 Sfmt 8010 E:SGML190069T.XXX";
  EXPECT_TRUE(read_pages({kSeen + note(30, job) + note(825, "bills on the printer")}).alerts.empty());
  EXPECT_TRUE(read_pages({kSeen + note(30, job), kSeen + note(30, job), note(30, job)}).alerts.empty());
  EXPECT_FALSE(read_pages({kSeen + note(400, job)}).alerts.empty());
  EXPECT_FALSE(read_pages({kSeen + "BT /F 12 Tf 72 20 Td (12) Tj ET\n" + note(30, job)}).alerts.empty())
      << "it is not beside all that is seen";
  std::string long_note;
  for (std::size_t i = 0; i < kPassage.size(); ++i)
    long_note += note(36 - 5 * static_cast<int>(i), kPassage[i]);
  const Document document = read_pages({kSeen + long_note});
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].ways, set_of(Hiding::colour));
}

TEST(HiddenOnPages, AHugePictureHidesTextWithoutBeingDecoded) {
  const std::string content = kSeen + passage_at(72) + "q 400 0 0 120 60 500 cm /X Do Q";
  static_cast<void>(read_pages({kSeen}));  // warms up
  const std::clock_t begin = std::clock();
  const Document document = read_warm(make_pdf_with_huge_jpeg_2000(content));
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 2);
  EXPECT_EQ(document.text, "The text of this page that everybody sees.");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].ways, set_of(Hiding::covered));
}

/// The lines of the passage, each with what is said of it.
std::string said_of_passage(const std::vector<std::string>& said) {
  std::string content;
  for (std::size_t i = 0; i < kPassage.size(); ++i)
    content += "/Span <</ActualText (" + said[i] + ")>> BDC BT /F 12 Tf 72 " +
               std::to_string(600 - 14 * static_cast<int>(i)) + " Td (" + kPassage[i] + ") Tj ET EMC\n";
  return content;
}

TEST(ActualTextOfPages, ThatDeniesLettersIsReportedAndTheLettersAreRead) {
  for (const std::string said : {"Wholly different", ""}) {
    const Document document = read_pages({said_of_passage(std::vector(kPassage.size(), said))});
    for (const std::string& line : kPassage) EXPECT_NE(document.text.find(line), std::string::npos) << line;
    EXPECT_EQ(document.text.find("different"), std::string::npos);
    ASSERT_EQ(document.alerts.size(), 1U) << said;
    EXPECT_EQ(document.alerts[0].kind, FileAlertKind::wrong_characters);
    EXPECT_EQ(document.alerts[0].sample.starts_with(said), true);
  }
}

TEST(ActualTextOfPages, ThatSaysTheSameLettersIsRead) {
  const std::vector<std::string> said = {"The miller kept two grey\\240geese behind the mill,",
                                         "and every morning they cro\\337ed, crossed the yard",
                                         "BEFORE HE HAD OPENED THE GATE TO THE MEADOW",
                                         "that lay behind the dam of the old reservoir...",
                                         "When the river rose in April, the lower meadow",
                                         "stood under water for 9 (nine) days and nobody knew."};
  std::vector<std::string> written;
  for (std::string one : said) {
    for (std::size_t at = 0; (at = one.find_first_of("()", at)) != std::string::npos; at += 2)
      one.insert(at, "\\");
    written.push_back(one);
  }
  const Document document = read_pages({said_of_passage(written)});
  EXPECT_NE(document.text.find("for 9 (nine) days"), std::string::npos) << document.text;
  EXPECT_TRUE(document.alerts.empty());
}

TEST(ActualTextOfPages, InAnotherScriptIsReadForGlyphsUnderLatinNames) {
  // "Мельник" in UTF-16.
  const std::string russian = "\\376\\377\\004\\034\\0045\\004;\\004L\\004=\\0048\\004:";
  const Document document = read_pages({said_of_passage(std::vector(kPassage.size(), russian))});
  EXPECT_NE(document.text.find("Мельник"), std::string::npos) << document.text;
  EXPECT_TRUE(document.alerts.empty());
}

}  // namespace
}  // namespace akin::extract
