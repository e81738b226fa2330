// What each reader gives of its format, and what it leaves out.
#include "extract/child/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/extract/child/sample_files.h"

namespace akin::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kText = 1U << 24U;

Document read(const std::string& bytes) {
  static const bool warm = (warm_up_pdf(), true);
  EXPECT_TRUE(warm);
  const Result<Document> document = read_file(bytes, kText);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *document : Document();
}

std::string hidden_in(const Document& document) {
  return document.alerts.empty() ? "" : document.alerts.front().sample;
}

TEST(Odt, ThatIsEncryptedIsRefusedAsAWhole) {
  const Result<Content> content = read_content(
      make_zip({{"mimetype", "application/vnd.oasis.opendocument.text"},
                {"content.xml", "\xCB\x01"},
                {"META-INF/manifest.xml", "<m:manifest xmlns:m=\"m\"><m:encryption-data/></m:manifest>"}}),
      kText);
  ASSERT_TRUE(content.has_error());
  EXPECT_EQ(content.error().code, Errc::file_encrypted);
}

TEST(Odt, HasParagraphsNotesAndHiddenText) {
  const Document document = read(
      make_odt("<text:h>Title</text:h><text:p>One<text:s/>two<text:note><text:note-citation>1</"
               "text:note-citation><text:note-body>"
               "<text:p>A note.</text:p></text:note-body></text:note>.<text:span "
               "text:style-name=\"H\">unseen</text:span></text:p>",
               "<style:style style:name=\"H\"><style:text-properties text:display=\"none\"/></style:style>"));
  EXPECT_EQ(document.text, "Title\n\nOne two.\n\nA note.");
  EXPECT_EQ(document.map.back().kind, PieceKind::footnote);
  EXPECT_EQ(hidden_in(document), "unseen");
}

TEST(Epub, HasItsChaptersInTheOrderOfItsSpine) {
  const Document document = read(make_zip(
      {{"mimetype", "application/epub+zip"},
       {"META-INF/container.xml", "<container><rootfile full-path=\"OPS/book.opf\"/></container>"},
       {"OPS/book.opf",
        "<package xmlns:dc=\"d\"><metadata><dc:title>Book</dc:title><dc:creator>A. "
        "B.</dc:creator></metadata><manifest>"
        "<item id=\"two\" href=\"text/2.xhtml\"/><item id=\"one\" href=\"text/1%20.xhtml\"/>"
        "<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\"/></manifest>"
        "<spine><itemref idref=\"nav\"/><itemref idref=\"one\"/><itemref idref=\"two\"/></spine></package>"},
       {"OPS/nav.xhtml", "<html><nav><a href=\"text/2.xhtml\">The Second</a></nav></html>"},
       {"OPS/text/1 .xhtml", "<html><head><title>First</title></head><body><p>One.</p></body></html>"},
       {"OPS/text/2.xhtml", "<html><body><p>Two.</p><p style=\"display: none\">unseen</p></body></html>"}}));
  EXPECT_EQ(document.type, "epub");
  EXPECT_EQ(document.text, "One.\n\nTwo.");
  EXPECT_THAT(document.parts, ElementsAre("First", "The Second"));
  EXPECT_EQ(document.map.back().part, 2U);
  EXPECT_EQ(document.metadata.title, "Book");
  EXPECT_EQ(hidden_in(document), "unseen");
}

struct RtfRow {
  const char* name;
  const char* content;
  const char* text;
};
void PrintTo(const RtfRow& row, std::ostream* out) { *out << row.name; }
class Rtf : public ::testing::TestWithParam<RtfRow> {};

TEST_P(Rtf, GivesItsText) {
  EXPECT_EQ(read("{\\rtf1\\ansi\\ansicpg1251 " + std::string(GetParam().content) + "}").text,
            GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Rtf,
    ::testing::Values(
        RtfRow{"Paragraphs", "One.\\par Two.\\par", "One.\n\nTwo."},
        RtfRow{"LineEndsOfTheFileAreNothing", "wo\r\nrd", "word"},
        RtfRow{"CodePage", "\\'cf\\'f0\\'e8\\'e2\\'e5\\'f2", "Привет"},
        RtfRow{"CodePageOfTheFont", "{\\fonttbl{\\f1\\fcharset238 Arial;}}\\f1\\'e8", "č"},
        RtfRow{"Unicode", "\\u1055?\\u1088?", "Пр"},
        RtfRow{"SubstituteOfTwoBytes", "\\uc2\\u12486\\'83\\'65x", "テx"},
        RtfRow{"SurrogatePair", "\\u-10179?\\u-8704?", "😀"},
        RtfRow{"Marks", "a\\~b\\emdash c\\endash\\{\\}\\\\", "a b—c–{}\\"},
        RtfRow{"UnknownDestination", "{\\*\\unknown not {this}}text", "text"},
        RtfRow{"TextBox",
               "One {\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv b}}{\\shptxt in a box\\par}}{\\shprslt"
               "{\\*\\do{\\dptxbxtext in a box\\par}}}}word.\\par",
               "in a box\n\nOne word."},
        RtfRow{"OldTextBox", "{\\*\\do{\\dptxbxtext in a box\\par}}text", "in a box\n\ntext"},
        RtfRow{"ResultOfAnObject", "{\\object{\\*\\objdata 00}{\\result seen}} text", "seen text"},
        RtfRow{"HeadersAndPictures", "{\\header head}{\\pict 00ff}text", "text"},
        RtfRow{"Field", "{\\field{\\*\\fldinst HYPERLINK}{\\fldrslt link}}", "link"},
        RtfRow{"RaisedMark", "the gate{\\up6\\fs16 1}. Here{\\super 2}. 10{\\up6 3}", "the gate. Here. 103"},
        RtfRow{"Footnote", "text{\\footnote note}.\\par more", "text.\n\nmore\n\nnote"},
        RtfRow{"Binary", "{\\pict\\bin3 }}}}text", "text"}, RtfRow{"Deleted", "{\\deleted old}new", "new"},
        RtfRow{"Hidden", "seen{\\v unseen}", "seen"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Rtf, LongTextBesideTheTextIsReported) {
  for (const char* group : {"\\header", "\\footerr", "\\*\\annotation", "\\*\\ftnsep"}) {
    const Document document =
        read("{\\rtf1{" + std::string(group) + " " + std::string(kLeastLeftOut, 'x') + "\\par}text}");
    EXPECT_EQ(document.text, "text") << group;
    ASSERT_EQ(document.alerts.size(), 1U) << group;
    EXPECT_EQ(document.alerts[0].kind, FileAlertKind::text_left_out);
  }
}

TEST(Rtf, ReportsHiddenText) {
  const Document document =
      read("{\\rtf1{\\colortbl;\\red255\\green255\\blue255;}seen {\\v a}{\\cf1 b}{\\fs2 c}}");
  EXPECT_EQ(document.text, "seen");
  EXPECT_EQ(hidden_in(document), "a b c");
  EXPECT_EQ(document.alerts.front().characters, 3U);
}

TEST(Rtf, WhatIsInALineOfNoHeightOrOutsideOfThePageIsHidden) {
  for (const char* place : {"\\sl-10\\slmult0", "\\li-30000\\ri30000", "\\posnegx-30000", "\\posnegy30000",
                            "\\posx-30000", "\\expndtw-160"}) {
    const Document document =
        read("{\\rtf1 seen\\par\\pard" + std::string(place) + " unseen\\par\\pard\\plain seen}");
    EXPECT_EQ(document.text, "seen\n\nseen") << place;
    EXPECT_EQ(hidden_in(document), "unseen") << place;
  }
  for (const char* place :
       {"\\sl-240\\slmult0", "\\sl360\\slmult1", "\\li-720", "\\posnegx-720", "\\expndtw-20"})
    EXPECT_EQ(read("{\\rtf1\\pard" + std::string(place) + " seen}").text, "seen") << place;
}

TEST(Rtf, WhiteLettersOnAGroundAreSeen) {
  const std::string colours =
      "{\\rtf1{\\colortbl;\\red255\\green255\\blue255;\\red0\\green0\\blue128;\\red252\\green255\\blue250;}";
  for (const char* seen : {"{\\highlight2\\cf1 a}", "{\\cf1\\chcbpat2 a}", "\\pard\\cbpat2{\\cf1 a}\\par",
                           "\\trowd\\cellx1\\clcbpat2\\cellx2\\pard\\intbl\\cell{\\cf1 a}\\cell\\row"}) {
    EXPECT_EQ(read(colours + seen + "}").text, "a") << seen;
  }
  for (const char* unseen :
       {"{\\cf1\\highlight1 a}", "{\\cf3 a}", "{\\cf2\\chcbpat2 a}",
        "\\pard\\cbpat2\\par\\pard{\\cf1 a}\\par", "\\pard\\cbpat2{\\cf1\\chcbpat1 a}\\par",
        "\\trowd\\clcbpat2\\cellx1\\cellx2\\pard\\intbl\\cell{\\cf1 a}\\cell\\row"}) {
    EXPECT_EQ(hidden_in(read(colours + "seen" + unseen + "}")), "a") << unseen;
  }
}

TEST(Rtf, LettersOfNearlyTheColourOfTheirGroundAreHidden) {
  const std::string colours =
      "{\\rtf1{\\colortbl;\\red0\\green0\\blue128;\\red9\\green0\\blue120;\\red90\\green0\\blue120;}seen";
  EXPECT_EQ(hidden_in(read(colours + "{\\cf2\\chcbpat1 a}}")), "a");
  EXPECT_EQ(read(colours + "{\\cf3\\chcbpat1 a}}").text, "seena");
}

TEST(Rtf, WordsOfAnotherLookBetweenTheWordsAreReported) {
  const auto alerts = [](const std::string& look) {
    std::string text;
    for (int word = 0; word < 60; ++word) text += "seen {" + look + " unseen} ";
    return read("{\\rtf1 " + text + "}").alerts;
  };
  for (const char* look : {"\\fs6", "\\f1", "\\dn100"}) {
    ASSERT_EQ(alerts(look).size(), 1U) << look;
    EXPECT_EQ(alerts(look)[0].kind, FileAlertKind::interleaved_text);
  }
  for (const char* alike : {"\\lang1031", "\\b\\b0"}) EXPECT_TRUE(alerts(alike).empty()) << alike;
}

TEST(Rtf, WhatTheCodeOfAFieldShowsIsLeftOut) {
  std::string words;
  for (int word = 0; word < 100; ++word) words += "word" + std::to_string(word) + " ";
  const auto alerts_of = [&](const std::string& code) {
    return read("{\\rtf1 seen{\\field{\\*\\fldinst " + code + "}{\\fldrslt }}}").alerts;
  };
  const auto alerts = alerts_of("{\\b EQ} \\\\x(" + words + ")");
  ASSERT_EQ(alerts.size(), 1U);
  EXPECT_EQ(alerts.front().kind, FileAlertKind::text_left_out);
  EXPECT_TRUE(alerts_of("HYPERLINK \\\\l (" + words + ")").empty());
}

TEST(Rtf, LettersWithoutAColourAreSeenWhateverTheFirstColourIs) {
  EXPECT_EQ(read("{\\rtf1{\\colortbl\\red255\\green255\\blue255;}a {\\cf0 b}}").text, "a");
}

TEST(Zip, AnotherArchiveIsOfAnUnsupportedType) {
  EXPECT_EQ(read_file(make_zip({{"a.txt", "text"}}), kText).error().code, Errc::type_unsupported);
  EXPECT_EQ(read(make_zip({{"book.fb2", kBook}})).type, "fb2");
}

TEST(Zip, ABombIsTooLarge) {
  const std::string nothing(std::size_t{300} << 20U, ' ');
  const Result<Document> read = read_file(make_zip({{"word/document.xml", nothing}}), kText);
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::file_too_large);
}

std::string text_at(const char* place, const std::string& text, int size = 12) {
  return "BT /F " + std::to_string(size) + " Tf " + place + " Td (" + text + ") Tj ET\n";
}

TEST(Pdf, LeavesOutRunningHeadsAndPageNumbers) {
  std::vector<std::string> pages;
  for (int i = 1; i <= 4; ++i) {
    const std::string number = std::to_string(i);
    pages.push_back(text_at("72 800", "On Mills") +
                    text_at("72 700", "The text of page " + number + " alone.") + text_at("300 30", number));
  }
  EXPECT_EQ(read(make_pdf_of(pages)).text,
            "The text of page 1 alone.\n\nThe text of page 2 alone.\n\nThe text of page 3 alone.\n\nThe text "
            "of page 4 alone.");
}

TEST(Pdf, RaisedMarksOfNotesAreLeftOut) {
  const std::string raised = " /F 7 Tf 5 Ts (1) Tj 0 Ts /F 12 Tf ",
                    lowered = " /F 7 Tf -2 Ts (2) Tj 0 Ts /F 12 Tf ";
  EXPECT_EQ(
      read(make_pdf_of({"BT /F 12 Tf 72 700 Td (Behind the gate) Tj" + raised + "(. He lived) Tj" + raised +
                        "( there, 10) Tj" + raised + "( m from H) Tj" + lowered + "(O.) Tj ET"}))
          .text,
      "Behind the gate. He lived there, 101 m from H2O.");
}

TEST(Pdf, AParagraphRunsOverPagesAndItsFootnoteFollowsIt) {
  const std::string line = "A line of the body, which is long enough to be most of the text,";
  const Document document = read(make_pdf_of({text_at("72 300", line) + text_at("72 100", "1 The note.", 8),
                                              text_at("72 700", "and it ends here.")}));
  EXPECT_EQ(document.text, line + "\nand it ends here.\n\n1 The note.");
  ASSERT_EQ(document.map.size(), 3U);
  EXPECT_EQ(document.map[0].page, 1U);
  EXPECT_EQ(document.map[1].page, 2U);
  EXPECT_EQ(document.map[2].kind, PieceKind::footnote);
  EXPECT_EQ(document.map[2].page, 1U);
}

TEST(Pdf, MarksDrawnOverALetterDoNotPartItsWord) {
  // "b" is an acute accent that is drawn above the letter before it.
  const auto with = [](const std::string& move) {
    return read(make_pdf_with_map(
                    "BT /F 12 Tf 72 700 Td (gaa) Tj " + move + " (b) Tj ET BT /F 12 Tf 92 700 Td (aag) Tj ET",
                    {{"61", "0435"}, {"62", "0301"}, {"67", "0442"}}))
        .text;
  };
  EXPECT_EQ(with("16 5 Td"), "те\u0435\u0301еет");
  EXPECT_EQ(with("20 2 Td"), "те\u0435\u0301еет");
  EXPECT_EQ(with("/F 2 Tf 6 0 0 6 88 705 Tm"), "те\u0435\u0301еет");
}

TEST(Pdf, ReadsColumnsOneAfterTheOther) {
  std::string content;
  for (int i = 0; i < 12; ++i) {
    const std::string y = std::to_string(700 - 14 * i);
    content += text_at(("60 " + y).c_str(), "left words of line " + std::to_string(i) + " run on");
    content += text_at(("320 " + y).c_str(), "right words of line " + std::to_string(i) + " run on");
  }
  const std::string text = read(make_pdf_of({content})).text;
  EXPECT_LT(text.find("left words of line 11"), text.find("right words of line 0")) << text;
}

TEST(Pdf, JoinsTheWordsOfAJustifiedLineWhateverTheirGaps) {
  const std::string text =
      read(make_pdf_of({text_at("72 714", "A long line above that goes over the whole width of the text") +
                        text_at("72 700", "The words") + text_at("200 700", "of this") +
                        text_at("310 700", "line") +
                        text_at("72 686", "are far apart, and this line goes over the whole width too")}))
          .text;
  EXPECT_EQ(text,
            "A long line above that goes over the whole width of the text\nThe words of this line\n"
            "are far apart, and this line goes over the whole width too");
}

TEST(Pdf, LinesOfVerseWithSpaceBetweenThemAreParagraphs) {
  const std::string full =
      text_at("72 750", "A full line that shows how wide the text of this page is, up to here");
  const std::string text = read(make_pdf_of({full + text_at("72 720", "a short line of verse") +
                                             text_at("72 696", "and another one")}))
                               .text;
  EXPECT_THAT(text, HasSubstr("a short line of verse\n\nand another one"));
}

struct PdfRow {
  const char* name;
  const char* content;
  bool hidden;
};
void PrintTo(const PdfRow& row, std::ostream* out) { *out << row.name; }
class HiddenInPdf : public ::testing::TestWithParam<PdfRow> {};

TEST_P(HiddenInPdf, IsLeftOutAndReported) {
  const Document document = read(make_pdf_of({text_at("72 700", "seen text") + GetParam().content}));
  EXPECT_EQ(document.text.find("unseen") == std::string::npos, GetParam().hidden) << document.text;
  EXPECT_EQ(hidden_in(document), GetParam().hidden ? "unseen words" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HiddenInPdf,
    ::testing::Values(
        PdfRow{"RenderMode3", "BT 3 Tr /F 12 Tf 72 600 Td (unseen words) Tj ET", true},
        PdfRow{"White", "1 1 1 rg BT /F 12 Tf 72 600 Td (unseen words) Tj ET", true},
        PdfRow{"Tiny", "BT /F 1 Tf 72 600 Td (unseen words) Tj ET", true},
        PdfRow{"WhiteOnDark",
               "0 0 0 rg 60 590 200 30 re f 1 1 1 rg BT /F 12 Tf 72 600 Td (unseen words) Tj ET", false},
        PdfRow{"WhiteOnAThickLine",
               "20 w 60 604 m 260 604 l S 1 1 1 rg BT /F 12 Tf 72 600 Td (unseen words) Tj ET", false},
        PdfRow{"WhiteOnAThinLine",
               "1 w 60 604 m 260 604 l S 1 1 1 rg BT /F 12 Tf 72 600 Td (unseen words) Tj ET", true},
        PdfRow{"UnderAPicture",
               "BT /F 12 Tf 72 600 Td (unseen words) Tj ET q 200 0 0 40 60 590 cm BI /W 1 /H 1 /CS /G /BPC 8 "
               "ID \xff EI Q",
               true},
        PdfRow{"OnAPicture",
               "q 200 0 0 40 60 590 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q BT /F 12 Tf 72 600 Td (unseen "
               "words) Tj ET",
               false},
        PdfRow{"RecognizedInAPicture",
               "q 500 0 0 800 10 10 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q BT 3 Tr /F 12 Tf 72 600 Td "
               "(unseen words) Tj ET",
               false},
        PdfRow{"ColourOfItsGround",
               "0.2 g 60 590 200 30 re f 0.21 g BT /F 12 Tf 72 600 Td (unseen words) Tj ET", true},
        PdfRow{"BlackOnABlackShape",
               "0 g 60 590 m 300 590 l 60 640 l f BT /F 12 Tf 72 600 Td (unseen words) Tj ET", false},
        PdfRow{"NearlyWhite", "0.95 g BT /F 12 Tf 72 600 Td (unseen words) Tj ET", true},
        PdfRow{"LightGrey", "0.85 g BT /F 12 Tf 72 600 Td (unseen words) Tj ET", false},
        PdfRow{"Grey", "0.6 g BT /F 12 Tf 72 600 Td (unseen words) Tj ET", false},
        PdfRow{"SmallFontScaledUp", "BT /F 1 Tf 12 0 0 12 72 600 Tm (unseen words) Tj ET", false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Pdf, ReportsWhatHidesTextAndWhere) {
  const Document document = read(make_pdf_of(
      {text_at("72 700", "seen"),
       text_at("72 700", "more") + "BT 3 Tr /F 12 Tf 72 600 Td (unseen) Tj ET BT 0 Tr 1 g /F 12 Tf 72 500 Td "
                                   "(words) Tj ET"}));
  ASSERT_EQ(document.alerts.size(), 1U);
  const FileAlert& alert = document.alerts.front();
  EXPECT_EQ(alert.page, 2U);
  EXPECT_EQ(alert.at, document.text.find("more"));
  EXPECT_EQ(alert.ways, set_of(Hiding::switched_off) | set_of(Hiding::colour));
  EXPECT_EQ(document.hidden, "unseen words");
}

class CoveredInPdf : public ::testing::Test {
 protected:
  /// On a page of much text, so that only the picture itself makes the page worth a second look.
  const std::string page_ =
      text_at("72 700", "A line of a page that has so much text that nothing about it is doubtful") +
      text_at("72 600", "unseen words");
  static void expect_covered(const Document& document) {
    EXPECT_EQ(document.text.find("unseen"), std::string::npos) << document.text;
    EXPECT_EQ(hidden_in(document), "unseen words");
    ASSERT_FALSE(document.alerts.empty());
    EXPECT_EQ(document.alerts.front().ways, set_of(Hiding::covered));
  }
};

TEST_F(CoveredInPdf, ByAPictureWithinTheContent) {
  expect_covered(
      read(make_pdf_of({page_ + "q 200 0 0 40 60 590 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q"})));
}

TEST_F(CoveredInPdf, ByAPictureOfAForm) {
  expect_covered(read(make_pdf_with_picture_in_form(page_ + "q 200 0 0 40 60 590 cm /X Do Q")));
}

TEST(Pdf, ReportsPagesThatArePictures) {
  const std::string picture = "q 500 0 0 800 10 10 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q";
  const Document document = read(
      make_pdf_of({text_at("72 700", "A page of text that is long enough to be a page of text"), picture}));
  ASSERT_EQ(document.alerts.size(), 1U);
  const FileAlert& alert = document.alerts.front();
  EXPECT_EQ(alert.kind, FileAlertKind::pages_without_text);
  EXPECT_EQ(alert.characters, 1U);
  EXPECT_EQ(alert.page, 2U);
  EXPECT_DOUBLE_EQ(alert.share, 0.5);
}

TEST(Pdf, AStampOnAScanIsNoTextOfThePage) {
  const std::string stamp =
      text_at("20 20", "Downloaded from a library by somebody on Monday, for personal use only");
  const auto alerts = [&](const std::string& size, const std::string& text) {
    return read(make_pdf_of({"q " + size + " 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q " + text}))
        .alerts;
  };
  ASSERT_EQ(alerts("590 0 0 840", stamp).size(), 1U);
  EXPECT_EQ(alerts("590 0 0 840", stamp)[0].kind, FileAlertKind::pages_without_text);
  EXPECT_TRUE(alerts("400 0 0 500", stamp).empty()) << "a figure and its caption";
  std::string page;
  for (int line = 0; line < 5; ++line)
    page += text_at(("72 " + std::to_string(700 - 20 * line)).c_str(),
                    "Text on a coloured ground, line by line. ");
  EXPECT_TRUE(alerts("590 0 0 840", page).empty());
}

TEST(Pdf, ReportsACharacterMapThatLies) {
  const auto with_map = [](const std::string& from, const std::string& to) {
    return read(make_pdf_with_map(text_at("72 700", "a word of letters"), {{from, to}}));
  };
  EXPECT_TRUE(with_map("65", "0065").alerts.empty());
  const Document document = with_map("65", "006F");
  ASSERT_EQ(document.alerts.size(), 1U);
  const FileAlert& alert = document.alerts.front();
  EXPECT_EQ(alert.kind, FileAlertKind::wrong_characters);
  EXPECT_EQ(alert.characters, 2U);
  EXPECT_EQ(alert.sample, "oo");
  EXPECT_EQ(alert.page, 1U);
}

/// A TrueType font finds its glyphs by their codes if it is symbolic: names that an encoding gives are not
/// its own.
TEST(Pdf, FontsThatDoNotNameTheirGlyphsAreNotContradicted) {
  const auto alerts = [](const std::string& flags, const std::string& encoding) {
    return read(make_pdf_of_font(text_at("72 700", "a word of letters"),
                                 "<</Type/Font/Subtype/TrueType/BaseFont/Mill" + encoding +
                                     "/FontDescriptor<</Type/FontDescriptor/FontName/Mill/Flags " + flags +
                                     ">>",
                                 {{"65", "006F"}}))
        .alerts.size();
  };
  EXPECT_EQ(alerts("4", ""), 0U) << "as LibreOffice and macOS write them";
  EXPECT_EQ(alerts("32", ""), 0U);
  EXPECT_EQ(alerts("4", "/Encoding/WinAnsiEncoding"), 0U);
  EXPECT_EQ(alerts("32", "/Encoding/WinAnsiEncoding"), 1U);
}

TEST(Pdf, ReportsACharacterMapThatLiesAboutGlyphsNamedByTheirCodes) {
  const auto with_map = [](const std::string& to) {
    return read(make_pdf_with_names(text_at("72 700", "aaa aaa aaa"), "97 /uni0436.alt", {{"61", to}}));
  };
  EXPECT_TRUE(with_map("0436").alerts.empty());
  const Document document = with_map("0448");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts.front().kind, FileAlertKind::wrong_characters);
  EXPECT_EQ(document.alerts.front().characters, 9U);
}

TEST(Pdf, GlyphsWithoutAMapWhoseNamesSayNothingAreUnreadableUnlessTheirCodesAreSmallLetters) {
  const std::string names = " /not.a /not.b /not.c /not.d /not.e /not.f /not.g /not.h /not.i /not.j";
  const Document digits =
      read(make_pdf_with_names(text_at("72 700", "0123456789 9876543210"), "48" + names, {}));
  ASSERT_EQ(digits.alerts.size(), 1U);
  EXPECT_EQ(digits.alerts.front().kind, FileAlertKind::unreadable_glyphs);
  EXPECT_EQ(digits.alerts.front().characters, 20U);
  EXPECT_TRUE(
      read(make_pdf_with_names(text_at("72 700", "abcdefg hij cab"), "97" + names, {})).alerts.empty());
  EXPECT_TRUE(
      read(make_pdf_with_names(text_at("72 700", "0123456789"), "48 /zero /one /two /three /four", {}))
          .alerts.empty());
}

TEST(Pdf, NamesTheFilesThatAreAttachedToIt) {
  std::string pdf = make_pdf_of({text_at("72 700", "seen text")});
  EXPECT_TRUE(read(pdf).alerts.empty());
  const auto insert = [&](const std::string& before, const std::string& what) {
    pdf.insert(pdf.find(before), what);
  };
  insert("/Pages 2 0 R", "/Names<</EmbeddedFiles<</Names[(a) 5 0 R(b) 6 0 R]>>>>");
  insert("trailer",
         "5 0 obj<</Type/Filespec/F(essay.docx)/EF<</F 7 0 R>>>>endobj\n"
         "6 0 obj<</Type/Filespec/F(data.csv)/EF<</F 7 0 R>>>>endobj\n"
         "7 0 obj<</Type/EmbeddedFile/Length 1>>stream\nx\nendstream endobj\n");
  const Document document = read(pdf);
  EXPECT_EQ(document.text, "seen text");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::part_missing);
  EXPECT_EQ(document.alerts[0].characters, 2U);
  EXPECT_EQ(document.alerts[0].sample, "essay.docx, data.csv");
}

TEST(Pdf, WithoutPagesIsDamaged) {
  EXPECT_EQ(read_file(make_pdf_of({}), kText).error().code, Errc::file_damaged);
}

}  // namespace
}  // namespace akin::extract
