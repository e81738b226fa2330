// What is read of a DOCX, and what is left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "extract/child/readers.h"
#include "tests/extract/child/sample_files.h"

namespace akin::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kMostDocxText = 1U << 24U;
constexpr std::size_t kLeastShown = 500;

Document docx_in(const std::string& bytes) {
  const Result<Document> document = read_file(bytes, kMostDocxText);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *document : Document();
}

std::string hidden_in_docx(const Document& document) {
  return document.alerts.empty() ? "" : document.alerts.front().sample;
}

std::string run(const std::string& text, const std::string& properties = "") {
  return "<w:r><w:rPr>" + properties + "</w:rPr><w:t>" + text + "</w:t></w:r>";
}
std::string paragraph(const std::string& content, const std::string& properties = "") {
  return "<w:p><w:pPr>" + properties + "</w:pPr>" + content + "</w:p>";
}

TEST(Docx, HasParagraphsHeadingsAndTables) {
  const Document document = docx_in(
      make_docx(paragraph(run("One"), "<w:pStyle w:val=\"H\"/>") + paragraph(run("It is ") + run("here.")) +
                    "<w:tbl><w:tr><w:tc>" + paragraph(run("cell")) + "</w:tc></w:tr></w:tbl>",
                "<w:style w:styleId=\"H\"><w:name w:val=\"heading 1\"/></w:style>"));
  EXPECT_EQ(document.text, "One\n\nIt is here.\n\ncell");
  EXPECT_THAT(document.parts, ElementsAre("One"));
  ASSERT_EQ(document.map.size(), 3U);
  EXPECT_EQ(document.map[0], (Piece{{0, 3}, PieceKind::heading, 0, 1}));
  EXPECT_EQ(document.map[1], (Piece{{5, 16}, PieceKind::body, 0, 1}));
  EXPECT_EQ(document.map[2].kind, PieceKind::table);
  EXPECT_TRUE(document.alerts.empty());
}

TEST(Docx, LinesOfAnIndentedParagraphAreSetOff) {
  const std::string styles =
      "<w:style w:styleId=\"a1\"><w:name w:val=\"Quote\"/></w:style>"
      "<w:style w:styleId=\"a2\"><w:basedOn w:val=\"a1\"/></w:style>"
      "<w:style w:styleId=\"a3\"><w:name w:val=\"Цитата 2\"/></w:style>";
  const auto second = [&](const std::string& properties) {
    const std::string text =
        docx_in(make_docx(paragraph(run("One.")) + paragraph(run("Two."), properties), styles)).text;
    return text.substr(text.find("\n\n") + 2);
  };
  for (const char* set_off :
       {"<w:ind w:left=\"720\"/>", "<w:ind w:start=\"283\" w:firstLine=\"100\"/>", "<w:pStyle w:val=\"a1\"/>",
        "<w:pStyle w:val=\"a2\"/>", "<w:pStyle w:val=\"a3\"/>"})
    EXPECT_EQ(second(set_off), "    Two.") << set_off;
  for (const char* usual : {"", "<w:ind w:left=\"200\"/>", "<w:ind w:firstLine=\"720\"/>",
                            "<w:ind w:left=\"720\" w:hanging=\"720\"/>", "<w:numPr/><w:ind w:left=\"720\"/>",
                            "<w:pStyle w:val=\"a1\"/><w:ind w:left=\"0\"/>"})
    EXPECT_EQ(second(usual), "Two.") << usual;
}

struct HiddenRow {
  const char* name;
  const char* properties;
  bool hidden;
};
void PrintTo(const HiddenRow& row, std::ostream* out) { *out << row.name; }
class HiddenInDocx : public ::testing::TestWithParam<HiddenRow> {};

TEST_P(HiddenInDocx, IsLeftOutAndReported) {
  const Document document =
      docx_in(make_docx(paragraph(run("seen ") + run("unseen", GetParam().properties)),
                        "<w:style w:styleId=\"S\"><w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr></w:style>"
                        "<w:style w:styleId=\"T\"><w:basedOn w:val=\"S\"/></w:style>"
                        "<w:style w:styleId=\"U\"><w:basedOn w:val=\"T\"/><w:rPr><w:color w:val=\"000000\"/>"
                        "</w:rPr></w:style>"));
  EXPECT_EQ(document.text, GetParam().hidden ? "seen" : "seen unseen");
  EXPECT_EQ(hidden_in_docx(document), GetParam().hidden ? "unseen" : "");
  if (GetParam().hidden) {
    EXPECT_DOUBLE_EQ(document.alerts.front().share, 0.6);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HiddenInDocx,
    ::testing::Values(
        HiddenRow{"Vanish", "<w:vanish/>", true}, HiddenRow{"NotVanish", "<w:vanish w:val=\"0\"/>", false},
        HiddenRow{"White", "<w:color w:val=\"FFFFFF\"/>", true},
        HiddenRow{"WhiteOnDark", "<w:color w:val=\"FFFFFF\"/><w:shd w:fill=\"000000\"/>", false},
        HiddenRow{"Red", "<w:color w:val=\"FF0000\"/>", false},
        HiddenRow{"SizeOne", "<w:sz w:val=\"2\"/>", true}, HiddenRow{"SizeTwo", "<w:sz w:val=\"4\"/>", true},
        HiddenRow{"Condensed", "<w:w w:val=\"1\"/>", true},
        HiddenRow{"NarrowButRead", "<w:w w:val=\"80\"/>", false},
        HiddenRow{"GreyOfTheTheme",
                  "<w:color w:val=\"A6A6A6\" w:themeColor=\"background1\" w:themeShade=\"A6\"/>", false},
        HiddenRow{"WhiteOnAPattern", "<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"pct75\" w:fill=\"auto\"/>",
                  false},
        HiddenRow{"WhiteOnSolid", "<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"solid\" w:color=\"000080\"/>",
                  false},
        HiddenRow{"StyleBasedOnWhite", "<w:rStyle w:val=\"T\"/>", true},
        HiddenRow{"StyleBasedOnWhiteInBlack", "<w:rStyle w:val=\"U\"/>", false},
        HiddenRow{"ShapeOfNothing", "<w14:textFill><w14:noFill/></w14:textFill>", true},
        HiddenRow{"ShapeOfALine",
                  "<w14:textOutline><w14:solidFill><w14:srgbClr w14:val=\"000000\"/></w14:solidFill>"
                  "</w14:textOutline><w14:textFill><w14:noFill/></w14:textFill>",
                  false},
        HiddenRow{"ShapeWithoutALine", "<w14:textOutline><w14:noFill/></w14:textOutline>", false},
        HiddenRow{
            "ShapeInWhite",
            "<w14:textFill><w14:solidFill><w14:srgbClr w14:val=\"FFFFFF\"/></w14:solidFill></w14:textFill>",
            true},
        HiddenRow{"ShapeOfGlass",
                  "<w14:textFill><w14:solidFill><w14:srgbClr w14:val=\"000000\"><w14:alpha "
                  "w14:val=\"100000\"/></w14:srgbClr></w14:solidFill></w14:textFill>",
                  true},
        HiddenRow{"SizeTen", "<w:sz w:val=\"20\"/>", false},
        HiddenRow{"NearlyWhite", "<w:color w:val=\"F2F2F2\"/>", true},
        HiddenRow{"LightGrey", "<w:color w:val=\"D9D9D9\"/>", false},
        HiddenRow{"WhiteOfTheThemeAsItIs",
                  "<w:color w:val=\"000000\" w:themeColor=\"background1\" w:themeShade=\"FF\"/>", true},
        HiddenRow{
            "ShapeInWhiteOfTheTheme",
            "<w14:textFill><w14:solidFill><w14:schemeClr w14:val=\"bg1\"/></w14:solidFill></w14:textFill>",
            true},
        HiddenRow{
            "ShapeInGreyOfTheTheme",
            "<w14:textFill><w14:solidFill><w14:schemeClr w14:val=\"bg1\"><w14:lumMod w14:val=\"65000\"/>"
            "</w14:schemeClr></w14:solidFill></w14:textFill>",
            false},
        HiddenRow{"OverEachOther", "<w:spacing w:val=\"-160\"/><w:w w:val=\"100\"/>", true},
        HiddenRow{"ANarrowTitle", "<w:spacing w:val=\"-20\"/>", false},
        HiddenRow{"OnceHidden", "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>", false},
        HiddenRow{"WhiteOfTheTheme", "<w:color w:val=\"auto\" w:themeColor=\"background1\"/>", true},
        HiddenRow{"ColourOfItsGround", "<w:color w:val=\"102030\"/><w:shd w:fill=\"112131\"/>", true},
        HiddenRow{"BlackOnWhite", "<w:color w:val=\"000000\"/><w:shd w:fill=\"FFFFFF\"/>", false},
        HiddenRow{"StyleInWhite", "<w:rStyle w:val=\"S\"/>", true},
        HiddenRow{"StyleInWhiteWithAnotherColour", "<w:rStyle w:val=\"S\"/><w:color w:val=\"000000\"/>",
                  false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Docx, WhatTheDefaultHidesIsHidden) {
  const std::string defaults =
      "<w:docDefaults><w:rPrDefault><w:rPr><w:vanish/></w:rPr></w:rPrDefault></w:docDefaults>";
  EXPECT_EQ(
      docx_in(make_docx(paragraph(run("unseen") + run("seen", "<w:vanish w:val=\"0\"/>")), defaults)).text,
      "seen");
}

TEST(Docx, WhatIsInALineOrRowOfNoHeightIsHidden) {
  const auto row = [](const std::string& properties) {
    return paragraph(run("seen")) + "<w:tbl><w:tr><w:trPr>" + properties + "</w:trPr><w:tc>" +
           paragraph(run("unseen")) + "</w:tc></w:tr></w:tbl>";
  };
  const auto line = [](const std::string& properties) {
    return paragraph(run("seen")) + paragraph(run("unseen"), properties);
  };
  for (const std::string& body : {row("<w:hidden/>"), row("<w:trHeight w:val=\"1\" w:hRule=\"exact\"/>"),
                                  line("<w:spacing w:line=\"20\" w:lineRule=\"exact\"/>")})
    EXPECT_EQ(hidden_in_docx(docx_in(make_docx(body))), "unseen") << body;
  for (const std::string& body : {row("<w:hidden w:val=\"0\"/>"), row("<w:trHeight w:val=\"1\"/>"),
                                  row("<w:trHeight w:val=\"300\" w:hRule=\"exact\"/>"),
                                  line("<w:spacing w:line=\"20\" w:lineRule=\"atLeast\"/>"),
                                  line("<w:spacing w:line=\"240\" w:lineRule=\"exact\"/>")})
    EXPECT_EQ(hidden_in_docx(docx_in(make_docx(body))), "") << body;
}

TEST(Docx, WhatIsOutsideOfThePageIsHidden) {
  for (const char* place : {"<w:ind w:left=\"-30000\"/>", "<w:ind w:start=\"-30000\"/>",
                            "<w:framePr w:x=\"-20000\" w:y=\"-20000\"/>"}) {
    const Document document = docx_in(make_docx(paragraph(run("seen")) + paragraph(run("unseen"), place)));
    EXPECT_EQ(document.text, "seen") << place;
    EXPECT_EQ(hidden_in_docx(document), "unseen") << place;
  }
  EXPECT_EQ(docx_in(make_docx(paragraph(run("seen"), "<w:ind w:left=\"-720\"/>"))).text, "seen");
}

TEST(Docx, WhiteLettersOnADarkPageOrInCellsThatAStyleShadesAreSeen) {
  const std::string white = run("seen", "<w:color w:val=\"FFFFFF\"/>");
  const Document table = docx_in(
      make_docx("<w:tbl><w:tblPr><w:tblStyle w:val=\"G\"/></w:tblPr><w:tr><w:tc>" + paragraph(white) +
                    "</w:tc></w:tr></w:tbl>",
                "<w:style w:type=\"table\" w:styleId=\"G\"><w:tblStylePr w:type=\"firstRow\"><w:tcPr><w:shd "
                "w:fill=\"4472C4\"/></w:tcPr></w:tblStylePr></w:style>"));
  EXPECT_EQ(table.text, "seen");
  EXPECT_TRUE(table.alerts.empty());
  const Document page = docx_in(make_docx("<w:background w:color=\"1F1F1F\"/>" + paragraph(white)));
  EXPECT_EQ(page.text, "seen");
  const Document banner =
      docx_in(make_docx(paragraph(white, "<w:pStyle w:val=\"B\"/>"),
                        "<w:style w:styleId=\"B\"><w:pPr><w:shd w:fill=\"000080\"/></w:pPr></w:style>"));
  EXPECT_EQ(banner.text, "seen");
}

/// Word shows what it knows, and the fallback of what it does not know.
/// A definition of a list whose first level has this label, and the list 7 of it.
std::string list_with(const std::string& label, const std::string& more = "") {
  return "<w:abstractNum w:abstractNumId=\"3\"><w:lvl w:ilvl=\"0\"><w:lvlText w:val=\"" + label + "\"/>" +
         more +
         "</w:lvl><w:lvl w:ilvl=\"1\"><w:lvlText w:val=\"words of another level of it\"/></w:lvl>"
         "</w:abstractNum><w:num w:numId=\"7\"><w:abstractNumId w:val=\"3\"/></w:num>";
}
const std::string kListed = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"7\"/></w:numPr>";

TEST(Docx, TextThatAListWritesBeforeItsParagraphsIsRead) {
  const auto text = [](const std::string& properties, const std::string& numbering) {
    return docx_in(make_docx(paragraph(run("It ends."), properties),
                             "<w:style w:styleId=\"L\"><w:pPr>" + kListed + "</w:pPr></w:style>", numbering))
        .text;
  };
  EXPECT_EQ(text(kListed, list_with("%1. The grey geese crossed the yard.")),
            "The grey geese crossed the yard. It ends.");
  EXPECT_EQ(text("<w:pStyle w:val=\"L\"/>", list_with("The grey geese crossed the yard.")),
            "The grey geese crossed the yard. It ends.");
  EXPECT_EQ(text("<w:pStyle w:val=\"L\"/><w:numPr><w:ilvl w:val=\"1\"/></w:numPr>", list_with("Grey")),
            "words of another level of it It ends.");
  for (const char* mark : {"%1.", "%1.%2.", "Chapter %1", "Annex to act %1", "\u2022"})
    EXPECT_EQ(text(kListed, list_with(mark)), "It ends.") << mark;
  EXPECT_EQ(text("", list_with("The grey geese crossed the yard.")), "It ends.");
}

TEST(Docx, TextOfAListThatNobodySeesIsHidden) {
  const Document document = docx_in(
      make_docx(paragraph(run("It ends."), kListed), "",
                list_with("The grey geese crossed the yard.", "<w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr>")));
  EXPECT_EQ(document.text, "It ends.");
  EXPECT_EQ(hidden_in_docx(document), "The grey geese crossed the yard.");
}

TEST(Docx, ALabelOfOneListReplacesThatOfItsDefinition) {
  const std::string lists =
      list_with("Grey") +
      "<w:num w:numId=\"8\"><w:abstractNumId w:val=\"3\"/><w:lvlOverride w:ilvl=\"0\"><w:lvl w:ilvl=\"0\">"
      "<w:lvlText w:val=\"words of this list alone\"/></w:lvl></w:lvlOverride></w:num>";
  const std::string other = "<w:numPr><w:numId w:val=\"8\"/></w:numPr>";
  EXPECT_EQ(
      docx_in(make_docx(paragraph(run("One."), kListed) + paragraph(run("Two."), other), "", lists)).text,
      "One.\n\nwords of this list alone Two.");
}

TEST(Docx, BlanksWithoutWidthPartNoWords) {
  const std::string narrow = "<w:spacing w:val=\"-60\"/>", slightly = "<w:spacing w:val=\"-10\"/>";
  EXPECT_EQ(
      docx_in(make_docx(paragraph(run("ge") + run(" ", narrow) + run("ese a") + run("re", narrow)))).text,
      "geese are");
  EXPECT_EQ(docx_in(make_docx(paragraph(run("two") + run(" ", slightly) + run("geese")))).text, "two geese");
}

TEST(Docx, FieldsThatShowTheirCodeAreReported) {
  const auto alerts = [](const std::string& code) {
    const Document document = docx_in(make_docx(paragraph(
        run("seen") + "<w:r><w:instrText>" + code + std::string(kLeastShown, 'x') + "</w:instrText></w:r>")));
    EXPECT_EQ(document.text, "seen");
    return document.alerts.size();
  };
  EXPECT_EQ(alerts(" EQ \\o("), 1U);
  EXPECT_EQ(alerts("MACROBUTTON NoMacro "), 1U);
  for (const char* other : {"HYPERLINK ", " TOC ", "EQUAL ", " REF a"}) EXPECT_EQ(alerts(other), 0U) << other;
}

TEST(Docx, ASimpleFieldThatShowsItsCodeIsReported) {
  const Document document = docx_in(make_docx(
      paragraph(run("seen") + "<w:fldSimple w:instr=\" EQ \\x(" + std::string(kLeastShown, 'x') + ")\"/>")));
  EXPECT_EQ(document.text, "seen");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::text_left_out);
}

TEST(Docx, ARowThatWasHiddenBeforeAChangeIsSeen) {
  EXPECT_EQ(docx_in(make_docx("<w:tbl><w:tr><w:trPr><w:trPrChange><w:trPr><w:hidden/></w:trPr></w:trPrChange>"
                              "</w:trPr><w:tc>" +
                              paragraph(run("seen")) + "</w:tc></w:tr></w:tbl>"))
                .text,
            "seen");
}

TEST(Docx, LettersThatAreShownBackwardsAreMarkedAsSuch) {
  const auto text = [](const std::string& body) { return docx_in(make_docx(body)).text; };
  EXPECT_EQ(text(paragraph(run("An ") + "<w:bdo w:val=\"rtl\">" + run("dcba") + "</w:bdo>" + run(" end"))),
            "An \u202edcba\u202c end");
  for (const char* honest : {"<w:bdo w:val=\"ltr\">", "<w:dir w:val=\"rtl\">"}) {
    const std::string end = std::string("</") + std::string(honest, 1, 5) + ">";
    EXPECT_EQ(text(paragraph(run("An ") + honest + run("abcd") + end)), "An abcd") << honest;
  }
}

TEST(Docx, HasTheAlternativeThatIsShown) {
  const auto alternatives = [](const std::string& vocabulary) {
    return docx_in(make_docx("<mc:AlternateContent xmlns:mc=\"mc\" xmlns:x=\"" + vocabulary +
                             "\"><mc:Choice Requires=\"x\">" + paragraph(run("choice")) +
                             "</mc:Choice><mc:Fallback>" + paragraph(run("fallback")) +
                             "</mc:Fallback></mc:AlternateContent>"))
        .text;
  };
  EXPECT_EQ(alternatives("http://schemas.microsoft.com/office/word/2010/wordprocessingShape"), "choice");
  EXPECT_EQ(alternatives("urn:nobody"), "fallback");
}

TEST(Docx, HasSymbolsAndTheBaseOfReadings) {
  EXPECT_EQ(
      docx_in(make_docx(paragraph("<w:r><w:sym w:font=\"Symbol\" w:char=\"F061\"/></w:r>" + run(" is ") +
                                  "<w:r><w:sym w:font=\"Arial\" w:char=\"0073\"/></w:r>" + run("mall") +
                                  "<w:r><w:sym w:font=\"Wingdings\" w:char=\"F04A\"/></w:r>" + run("."))))
          .text,
      "α is small .");
  EXPECT_EQ(docx_in(make_docx(paragraph("<w:ruby><w:rt>" + run("とうきょう") + "</w:rt><w:rubyBase>" +
                                        run("東京") + "</w:rubyBase></w:ruby>")))
                .text,
            "東京");
}

TEST(Docx, TextAboveNothingIsRead) {
  EXPECT_EQ(docx_in(make_docx(paragraph(run("a ") + "<w:ruby><w:rt>" + run("word") + "</w:rt><w:rubyBase>" +
                                        run(" ") + "</w:rubyBase></w:ruby>")))
                .text,
            "a word");
}

TEST(Docx, AnEntryOfADropDownListIsRead) {
  const auto text = [](const std::string& chosen) {
    return docx_in(make_docx(paragraph(run("a ") + "<w:r><w:fldChar><w:ffData><w:ddList>" + chosen +
                                       "<w:listEntry w:val=\"one\"/><w:listEntry w:val=\"two\"/></w:ddList>"
                                       "</w:ffData></w:fldChar></w:r>")))
        .text;
  };
  EXPECT_EQ(text(""), "a one");
  EXPECT_EQ(text("<w:default w:val=\"0\"/><w:result w:val=\"1\"/>"), "a two");
}

TEST(Docx, TheCodeOfAFieldIsNotRead) {
  const auto part = [](const std::string& type) {
    return "<w:r><w:fldChar w:fldCharType=\"" + type + "\"/></w:r>";
  };
  const std::string nested = part("begin") + run("code") + part("separate") + run("code") + part("end");
  EXPECT_EQ(docx_in(make_docx(paragraph(run("a ") + part("begin") + run("code") + nested + part("separate") +
                                        run("result") + part("end") + run(" b")) +
                              paragraph(part("begin") + run("code")) + paragraph(run("c"))))
                .text,
            "a result b\n\nc");
}

TEST(Docx, AParagraphWhoseEndIsHiddenRunsOn) {
  const std::string hidden = "<w:rPr><w:vanish/></w:rPr>";
  EXPECT_EQ(docx_in(make_docx(paragraph(run("wat"), hidden) + paragraph(run("er fl"), hidden) +
                              paragraph(run("ows")) + paragraph(run("on"))))
                .text,
            "water flows\n\non");
  EXPECT_EQ(docx_in(make_docx(paragraph(run("the end"), hidden))).text, "the end");
}

TEST(Docx, ReadingsWithinTextBoxesOfReadingsAreThoseOfTheirOwnWords) {
  const std::string inner = paragraph(run("word") + "<w:ruby><w:rt>" + run("reading") + "</w:rt></w:ruby>");
  EXPECT_EQ(docx_in(make_docx(paragraph("<w:ruby><w:txbxContent>" + inner + "</w:txbxContent></w:ruby>" +
                                        run("after"))))
                .text,
            "wordreading\n\nafter");
}

TEST(Docx, LettersHaveTheColoursOfTheTheme) {
  const auto document = [](const std::string& colour) {
    return docx_in(make_zip(
        {{"_rels/.rels",
          "<Relationships><Relationship Type=\"t/officeDocument\" Target=\"word/document.xml\"/>"
          "</Relationships>"},
         {"[Content_Types].xml",
          "<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/"
          "vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>"},
         {"word/document.xml",
          "<w:document xmlns:w=\"w\"><w:body>" +
              paragraph(run("seen ") + run("unseen", "<w:color w:val=\"4472C4\" " + colour + "/>")) +
              "</w:body></w:document>"},
         {"word/theme.xml",
          "<a:theme xmlns:a=\"a\"><a:clrScheme><a:dk1><a:sysClr val=\"windowText\" "
          "lastClr=\"000000\"/></a:dk1>"
          "<a:lt1><a:sysClr val=\"window\" lastClr=\"FFFFFF\"/></a:lt1><a:accent1><a:srgbClr val=\"FFFFFF\"/>"
          "</a:accent1><a:accent2><a:srgbClr val=\"ED7D31\"/></a:accent2></a:clrScheme></a:theme>"}}));
  };
  for (const char* white : {"w:themeColor=\"accent1\"", "w:themeColor=\"background1\"",
                            "w:themeColor=\"text1\" w:themeTint=\"00\""})
    EXPECT_EQ(hidden_in_docx(document(white)), "unseen") << white;
  for (const char* other : {"", "w:themeColor=\"accent2\"", "w:themeColor=\"text1\"", "w:themeColor=\"none\"",
                            "w:themeColor=\"accent1\" w:themeShade=\"80\""})
    EXPECT_EQ(hidden_in_docx(document(other)), "") << other;
}

TEST(Docx, WordsOfAnotherLookBetweenTheWordsAreReported) {
  const auto alerts = [](const std::string& properties) {
    std::string text;
    for (int word = 0; word < 60; ++word) text += run("seen ") + run("unseen ", properties);
    return docx_in(make_docx(paragraph(text))).alerts;
  };
  for (const char* look :
       {"<w:rFonts w:ascii=\"Blank\"/>", "<w:color w:val=\"CCCCCC\"/>", "<w:sz w:val=\"6\"/>"}) {
    ASSERT_EQ(alerts(look).size(), 1U) << look;
    EXPECT_EQ(alerts(look)[0].kind, FileAlertKind::interleaved_text);
    EXPECT_DOUBLE_EQ(alerts(look)[0].share, 1);
  }
  for (const char* alike : {"", "<w:lang w:val=\"de-DE\"/>", "<w:noProof/>"})
    EXPECT_TRUE(alerts(alike).empty());
}

TEST(Docx, HasNoRaisedNumbersOfNotes) {
  const auto raised = [](const std::string& mark) {
    return run(mark, "<w:vertAlign w:val=\"superscript\"/>");
  };
  EXPECT_EQ(docx_in(make_docx(paragraph(run("the gate") + raised("1") + run(". The end.") + raised("12") +
                                        run(" 10") + raised("3") + run(" m") + raised("2") + run(", the 4") +
                                        raised("th") + run(" book") + run("5", "<w:position w:val=\"6\"/>"))))
                .text,
            "the gate. The end. 103 m2, the 4th book");
}

TEST(Docx, HasPartsUnderTheNamesThatItsRelationsGive) {
  const std::string w = " xmlns:w=\"w\"";
  const Document document = docx_in(make_zip(
      {{"_rels/.rels",
        "<Relationships><Relationship Target=\"word/document2.xml\" "
        "Type=\"t/officeDocument\"/></Relationships>"},
       {"word/_rels/document2.xml.rels",
        "<Relationships><Relationship Id=\"a\" Type=\"t/footnotes\" Target=\"footnotes2.xml\"/>"
        "<Relationship Id=\"b\" Type=\"t/styles\" Target=\"/word/look.xml\"/></Relationships>"},
       {"word/document2.xml", "<w:document" + w + "><w:body>" +
                                  paragraph(run("seen") + run("unseen", "<w:rStyle w:val=\"S\"/>")) +
                                  "</w:body></w:document>"},
       {"word/look.xml",
        "<w:styles" + w + "><w:style w:styleId=\"S\"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>"},
       {"word/footnotes2.xml",
        "<w:footnotes" + w + "><w:footnote>" + paragraph(run("a note")) + "</w:footnote></w:footnotes>"},
       {"docProps/core.xml", ""}}));
  EXPECT_EQ(document.text, "seen\n\na note");
  EXPECT_EQ(hidden_in_docx(document), "unseen");
}

TEST(Docx, IsReadThoughItsPropertiesCannotBe) {
  const std::string w = " xmlns:w=\"w\"";
  const Document document =
      docx_in(make_zip({{"_rels/.rels",
                         "<Relationships><Relationship Id=\"a\" Type=\"t/officeDocument\" "
                         "Target=\"word/document.xml\"/></Relationships>"},
                        {"word/document.xml",
                         "<w:document" + w + "><w:body>" + paragraph(run("seen")) + "</w:body></w:document>"},
                        {"docProps/core.xml", "<core><title>A title"}}));
  EXPECT_EQ(document.text, "seen");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::part_missing);
  EXPECT_EQ(document.alerts[0].sample, "docProps/core.xml");
}

TEST(Docx, LeavesOutWhatWasDeletedAndTheCodesOfFields) {
  EXPECT_EQ(docx_in(make_docx(paragraph("<w:del><w:r><w:delText>old</w:delText></w:r></w:del>" + run("new") +
                                        "<w:r><w:instrText>PAGE</w:instrText></w:r>")))
                .text,
            "new");
}

/// A text of kLeastLeftOut characters.
std::string long_text(const std::string& word) {
  std::string text;
  while (text.size() < kLeastLeftOut + word.size()) text += word + " ";
  return text;
}

/// A DOCX whose body has `body`, and a part of `type` at the relation p.
std::string docx_with_part(const std::string& body, const std::string& type, const std::string& part) {
  return make_zip({{"_rels/.rels",
                    "<Relationships><Relationship Target=\"word/document.xml\" Type=\"t/officeDocument\"/>"
                    "</Relationships>"},
                   {"word/_rels/document.xml.rels", "<Relationships><Relationship Id=\"p\" Type=\"t/" + type +
                                                        "\" Target=\"part.xml\"/></Relationships>"},
                   {"word/document.xml",
                    "<w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body>" + body + "</w:body></w:document>"},
                   {"word/part.xml", part}});
}

TEST(Docx, LeavesOutHeadersFootersAndRemarksAndReportsLongOnes) {
  const std::string text = long_text("beside");
  for (const char* type : {"header", "footer", "comments"}) {
    const auto with = [&](const std::string& part) {
      return docx_in(docx_with_part(paragraph(run("It is here.")), type,
                                    "<w:part xmlns:w=\"w\">" + paragraph(run(part)) + "</w:part>"));
    };
    EXPECT_EQ(with(text).text, "It is here.");
    ASSERT_EQ(with(text).alerts.size(), 1U) << type;
    EXPECT_EQ(with(text).alerts[0].kind, FileAlertKind::text_left_out);
    EXPECT_THAT(with(text).alerts[0].sample, HasSubstr("beside"));
    EXPECT_TRUE(with("The Mill, page 1").alerts.empty());
  }
}

TEST(Docx, ReadsNotesOfTheUsualTypeAndReportsLongTextBetweenNotesAndBody) {
  const std::string text = long_text("beside");
  const auto with = [&](const std::string& type) {
    return docx_in(docx_with_part(paragraph(run("It is here.")), "footnotes",
                                  "<w:footnotes xmlns:w=\"w\"><w:footnote w:type=\"" + type + "\">" +
                                      paragraph(run(text)) + "</w:footnote></w:footnotes>"));
  };
  EXPECT_THAT(with("normal").text, HasSubstr("beside"));
  EXPECT_TRUE(with("normal").alerts.empty());
  for (const char* type : {"separator", "continuationSeparator", "continuationNotice"}) {
    const Document document = with(type);
    EXPECT_EQ(document.text, "It is here.");
    ASSERT_EQ(document.alerts.size(), 1U) << type;
    EXPECT_EQ(document.alerts[0].kind, FileAlertKind::text_left_out);
  }
}

TEST(Docx, HasTheTextOfADocumentThatItEmbedsAndShows) {
  const auto with = [](const std::string& aspect, const std::string& object) {
    return docx_in(make_zip(
        {{"_rels/.rels",
          "<Relationships><Relationship Target=\"word/document.xml\" Type=\"t/officeDocument\"/>"
          "</Relationships>"},
         {"word/_rels/document.xml.rels",
          "<Relationships><Relationship Id=\"p\" Type=\"t/package\" "
          "Target=\"embeddings/a.docx\"/></Relationships>"},
         {"word/document.xml", "<w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body>" +
                                   paragraph("<w:r><w:object><o:OLEObject DrawAspect=\"" + aspect +
                                             "\" r:id=\"p\"/></w:object></w:r>" + run("It is here.")) +
                                   "</w:body></w:document>"},
         {"word/embeddings/a.docx", object}}));
  };
  const std::string inner = make_docx(paragraph(run("Within.")));
  EXPECT_EQ(with("Content", inner).text, "Within.\n\nIt is here.");
  EXPECT_EQ(with("Icon", inner).text, "It is here.");
  const Document damaged = with("Content", make_zip({{"word/document.xml", "<"}}));
  EXPECT_EQ(damaged.text, "It is here.");
  ASSERT_EQ(damaged.alerts.size(), 1U);
  EXPECT_EQ(damaged.alerts[0].kind, FileAlertKind::part_missing);
}

TEST(Docx, CountsAHeaderThatSeveralPartsHaveOnce) {
  const std::string half = long_text("beside").substr(0, kLeastLeftOut / 2 + 10);
  const std::string part = "<w:part xmlns:w=\"w\">" + paragraph(run(half + "1")) + paragraph(run(half + "2"));
  EXPECT_TRUE(docx_in(docx_with_part("", "header", part + "</w:part>")).alerts.empty());
}

TEST(Docx, HasTheWordsOfDiagramsChartsAndWordArt) {
  const std::string diagram =
      "<d:dataModel xmlns:d=\"d\" xmlns:a=\"a\"><d:t><a:p><a:r><a:t>One </a:t></a:r><a:r>"
      "<a:t>box</a:t></a:r></a:p></d:t><d:t><a:p><a:r><a:t>Another</a:t></a:r></a:p></d:t>"
      "</d:dataModel>";
  EXPECT_EQ(docx_in(docx_with_part(paragraph("<w:r><d:relIds xmlns:d=\"d\" r:dm=\"p\"/></w:r>"),
                                   "diagramData", diagram))
                .text,
            "One box\n\nAnother");
  const std::string chart =
      "<c:chartSpace xmlns:c=\"c\" "
      "xmlns:a=\"a\"><c:title><a:p><a:r><a:t>Grain</a:t></a:r></a:p></c:title><c:cat>"
      "<c:strCache><c:pt><c:v>Rye</c:v></c:pt><c:pt><c:v>Oats</c:v></c:pt></c:strCache></"
      "c:cat><c:val><c:numCache>"
      "<c:pt><c:v>12</c:v></c:pt></c:numCache></c:val></c:chartSpace>";
  EXPECT_EQ(
      docx_in(docx_with_part(paragraph("<w:r><c:chart xmlns:c=\"c\" r:id=\"p\"/></w:r>"), "chart", chart))
          .text,
      "Grain\n\nRye\n\nOats");
  EXPECT_EQ(docx_in(make_docx(paragraph(
                        "<w:r><w:pict><v:textpath xmlns:v=\"v\" string=\"In waves\"/></w:pict></w:r>")))
                .text,
            "In waves");
}

std::string docx_with_chunk(const std::string& target, const std::string& content) {
  const std::string w = " xmlns:w=\"w\" xmlns:r=\"r\"";
  return make_zip(
      {{"_rels/.rels",
        "<Relationships><Relationship Target=\"word/document.xml\" Type=\"t/officeDocument\"/>"
        "</Relationships>"},
       {"word/_rels/document.xml.rels", "<Relationships><Relationship Id=\"c\" Type=\"t/aFChunk\" Target=\"" +
                                            target + "\"/></Relationships>"},
       {"word/document.xml", "<w:document" + w + "><w:body>" + paragraph(run("Before")) +
                                 "<w:altChunk r:id=\"c\"/>" + paragraph(run("After")) +
                                 "</w:body></w:document>"},
       {"word/chunk.html", content},
       {"word/chunk.rtf", content},
       {"word/chunk.mht", content},
       {"word/chunk.txt", content},
       {"word/chunk.xml", content},
       {"word/chunk.docx", content}});
}

TEST(Docx, HasTheChunksOfOtherFormatsInTheirPlaces) {
  const Document html = docx_in(docx_with_chunk(
      "/word/chunk.html", "<html><body><p>It is</p><p hidden>not</p><p>here.</p></body></html>"));
  EXPECT_EQ(html.text, "Before\n\nIt is\n\nhere.\n\nAfter");
  EXPECT_EQ(hidden_in_docx(html), "not");
  EXPECT_EQ(docx_in(docx_with_chunk("chunk.rtf", "{\\rtf1 It is here.\\par}")).text,
            "Before\n\nIt is here.\n\nAfter");
  const std::pair<const char*, std::string> others[] = {
      {"chunk.mht",
       "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"b\"\n\n--b\nContent-Type: "
       "text/html\n\n"
       "<p>It is here.</p>\n--b--\n"},
      {"chunk.txt", "It is here."},
      {"chunk.xml", "<?xml version=\"1.0\"?><a>It is here.</a>"},
      {"chunk.docx", make_docx(paragraph(run("It is here.")))}};
  for (const auto& [name, content] : others)
    EXPECT_EQ(docx_in(docx_with_chunk(name, content)).text, "Before\n\nIt is here.\n\nAfter") << name;
}

TEST(Docx, WithAChunkThatIsNotReadIsRefused) {
  const Result<Document> refused = read_file(docx_with_chunk("chunk.txt", "%PDF-1.7"), kMostDocxText);
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::unsupported);
  EXPECT_THAT(refused.error().reason, HasSubstr("word/chunk.txt"));
  EXPECT_EQ(read_file(docx_with_chunk("absent.html", ""), kMostDocxText).error().code, Errc::file_damaged);
}

}  // namespace
}  // namespace akin::extract
