// What an ODT hides and shows by its styles.
#include "extract/child/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/extract/child/sample_files.h"

namespace akin::extract {
namespace {

constexpr std::uint64_t kMostOdtIn = 1U << 24U;

Document odt_in(const std::string& bytes) {
  const Result<Document> document = read_file(bytes, kMostOdtIn);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *document : Document();
}

std::string hidden_odt_in(const Document& document) {
  return document.alerts.empty() ? "" : document.alerts.front().sample;
}

std::string odt_style(const std::string& name, const std::string& family, const std::string& properties,
                      const std::string& more = "") {
  return "<style:style style:name=\"" + name + "\" style:family=\"" + family + "\" " + more + ">" +
         properties + "</style:style>";
}

TEST(Odt, WordsOfChartsAndFormulasAreRead) {
  const std::string body =
      "<text:p>where <draw:frame xmlns:draw=\"d\" xmlns:svg=\"sv\" svg:width=\"20cm\" "
      "svg:height=\"20cm\"><draw:object "
      "xmlns:xlink=\"x\" xlink:href=\"./Object 1\"/><draw:image xmlns:xlink=\"x\" "
      "xlink:href=\"./r\"/></draw:frame> "
      "holds</text:p>";
  const auto with = [&](const std::string& object) {
    return odt_in(
        make_zip({{"mimetype", "application/vnd.oasis.opendocument.text"},
                  {"content.xml",
                   "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\"><office:body><office:text>" +
                       body + "</office:text></office:body></office:document-content>"},
                  {"Object 1/content.xml", object}}));
  };
  const Document formula = with(
      "<math xmlns=\"m\"><semantics><mrow><mi>x</mi><mo>=</mo><mn>2</mn></mrow>"
      "<annotation>x = 2</annotation></semantics></math>");
  EXPECT_EQ(formula.text, "where x=2 holds");
  EXPECT_TRUE(formula.alerts.empty());
  const Document chart = with(
      "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"b\" "
      "xmlns:chart=\"c\"><chart:title>"
      "<text:p>Rain</text:p></chart:title><table:table><table:table-cell "
      "office:value-type=\"string\"><text:p>May"
      "</text:p></table:table-cell><table:table-cell "
      "office:value-type=\"float\"><text:p>12</text:p></table:table-cell>"
      "</table:table></office:document-content>");
  EXPECT_EQ(chart.text, "Rain\n\nMay\n\nwhere holds");
}

TEST(Odt, LinesOfAnIndentedParagraphAreSetOff) {
  const auto margin = [](const std::string& name, const std::string& properties,
                         const std::string& more = "") {
    return odt_style(name, "paragraph", "<style:paragraph-properties " + properties + "/>", more);
  };
  const std::string styles = margin("Q", "fo:margin-left=\"1cm\"") +
                             margin("H", "fo:margin-left=\"1cm\" fo:text-indent=\"-1cm\"") +
                             odt_style("Quotations", "paragraph", "") +
                             odt_style("P", "paragraph", "", "style:parent-style-name=\"Quotations\"") +
                             margin("Z", "fo:margin-left=\"0cm\"", "style:parent-style-name=\"Quotations\"");
  const auto second = [&](const std::string& style) {
    return "<text:p text:style-name=\"" + style + "\">Two.</text:p>";
  };
  for (const std::string& set_off : {second("Q"), second("P"), second("Quotations")})
    EXPECT_EQ(odt_in(make_odt("<text:p>One.</text:p>" + set_off, styles)).text, "One.\n\n    Two.")
        << set_off;
  const std::string listed = "<text:list><text:list-item>" + second("Q") + "</text:list-item></text:list>";
  for (const std::string& usual : {second("H"), second("Z"), second("none"), listed})
    EXPECT_EQ(odt_in(make_odt("<text:p>One.</text:p>" + usual, styles)).text, "One.\n\nTwo.") << usual;
}

TEST(Odt, TextThatAListWritesBeforeItsParagraphsIsRead) {
  const auto level = [](const std::string& attributes, const std::string& content = "") {
    return "<text:list-style style:name=\"L\"><text:list-level-style-number text:level=\"1\" " + attributes +
           ">" + content + "</text:list-level-style-number></text:list-style>";
  };
  const std::string body =
      "<text:list text:style-name=\"L\"><text:list-item><text:p>It ends.</text:p><text:p>More.</text:p>"
      "</text:list-item></text:list>";
  for (const char* label :
       {"style:num-prefix=\"The grey geese crossed the yard. \" style:num-format=\"1\"",
        "style:num-format=\"1\" style:num-suffix=\". The grey geese crossed the yard.\"",
        "xmlns:loext=\"l\" loext:num-list-format=\"%1%. The grey geese crossed the yard.\""})
    EXPECT_THAT(odt_in(make_odt(body, level(label))).text,
                ::testing::MatchesRegex("The grey geese crossed the yard.? It ends.\n\nMore."))
        << label;
  for (const char* mark : {"style:num-suffix=\".\"", "style:num-prefix=\"Chapter \" style:num-format=\"1\""})
    EXPECT_EQ(odt_in(make_odt(body, level(mark))).text, "It ends.\n\nMore.") << mark;
  const Document hidden = odt_in(make_odt(body, level("style:num-prefix=\"The grey geese crossed the yard\"",
                                                      "<style:text-properties fo:color=\"#ffffff\"/>")));
  EXPECT_EQ(hidden.text, "It ends.\n\nMore.");
  EXPECT_EQ(hidden_odt_in(hidden), "The grey geese crossed the yard");
}

TEST(Odt, TheLettersOfAListsMarksAreNotThoseOfTheStyleBeforeIt) {
  const std::string styles =
      odt_style("P", "paragraph", "") +
      "<text:list-style style:name=\"L\"><text:list-level-style-bullet text:level=\"1\" "
      "text:bullet-char=\"-\">"
      "<style:text-properties fo:font-size=\"1pt\"/></text:list-level-style-bullet></text:list-style>";
  EXPECT_EQ(odt_in(make_odt("<text:p text:style-name=\"P\">seen</text:p>", styles)).text, "seen");
}

TEST(Odt, WhatAStyleOrASectionAroundHidesIsHidden) {
  const std::string hides = "<style:text-properties text:display=\"none\"/>";
  const std::string styles =
      odt_style("P", "paragraph", hides) + odt_style("Q", "paragraph", "", "style:parent-style-name=\"P\"") +
      odt_style("L", "paragraph", "<style:text-properties style:text-scale=\"1%\"/>") +
      odt_style("Z", "paragraph", "<style:text-properties fo:font-size=\"2pt\"/>") +
      odt_style("E", "paragraph", "<style:text-properties fo:font-size=\"5%\"/>") +
      odt_style("R", "paragraph", "<style:text-properties style:text-position=\"-5% 1%\"/>") +
      odt_style("O", "paragraph", "<style:text-properties fo:letter-spacing=\"-0.4cm\"/>") +
      odt_style("G", "paragraph", "<style:text-properties xmlns:loext=\"l\" loext:opacity=\"0%\"/>") +
      odt_style("M", "paragraph", "<style:paragraph-properties fo:margin-left=\"-60cm\"/>") +
      odt_style("H", "paragraph", "<style:paragraph-properties fo:line-height=\"0.01cm\"/>");
  const std::string field = "<text:hidden-paragraph text:condition=\"c\" text:is-hidden=\"true\"/>";
  const std::string unseen[] = {
      "<text:p text:style-name=\"Q\">unseen</text:p>",
      "<text:p text:style-name=\"L\">unseen</text:p>",
      "<text:p text:style-name=\"Z\">unseen</text:p>",
      "<text:p text:style-name=\"E\">unseen</text:p>",
      "<text:p text:style-name=\"R\">unseen</text:p>",
      "<text:p text:style-name=\"O\">unseen</text:p>",
      "<text:p text:style-name=\"G\">unseen</text:p>",
      "<text:p text:style-name=\"M\">unseen</text:p>",
      "<text:p text:style-name=\"H\">unseen</text:p>",
      "<text:p>" + field + "unseen</text:p>",
      "<text:p>unseen" + field + "</text:p>",
      "<text:section text:display=\"none\"><text:p>unseen</text:p></text:section>",
      "<text:section text:display=\"condition\" text:is-hidden=\"true\"><text:p>unseen"
      "</text:p></text:section>"};
  for (const std::string& part : unseen) {
    const Document document = odt_in(make_odt("<text:p>seen</text:p>" + part, styles));
    EXPECT_EQ(document.text, "seen") << part;
    EXPECT_EQ(hidden_odt_in(document), "unseen") << part;
  }
}

TEST(Odt, WhatAConditionDoesNotHideIsSeen) {
  for (const char* part :
       {"<text:p><text:hidden-text text:condition=\"c\" "
        "text:is-hidden=\"false\">seen</text:hidden-text></text:p>",
        "<text:p><text:hidden-paragraph text:condition=\"c\" text:is-hidden=\"false\"/>seen</text:p>",
        "<text:section text:display=\"condition\" "
        "text:is-hidden=\"false\"><text:p>seen</text:p></text:section>"})
    EXPECT_EQ(odt_in(make_odt(part)).text, "seen") << part;
}

TEST(Odt, AFieldOfTheUserHasItsDeclaredValue) {
  EXPECT_EQ(
      odt_in(make_odt("<text:user-field-decls><text:user-field-decl office:value-type=\"string\" "
                      "office:string-value=\"the mill\" text:name=\"f\"/></text:user-field-decls>"
                      "<text:p>It is <text:user-field-get text:name=\"f\">old</text:user-field-get>, not "
                      "<text:user-field-get text:name=\"g\">a barn</text:user-field-get>.</text:p>"))
          .text,
      "It is the mill, not a barn.");
}

TEST(Odt, BlanksWithoutWidthPartNoWords) {
  const std::string styles = odt_style("N", "text", "<style:text-properties fo:letter-spacing=\"-0.1cm\"/>") +
                             odt_style("S", "text", "<style:text-properties fo:letter-spacing=\"-0.01cm\"/>");
  EXPECT_EQ(odt_in(make_odt("<text:p>ge<text:span text:style-name=\"N\"> </text:span>ese<text:span "
                            "text:style-name=\"S\"> are</text:span></text:p>",
                            styles))
                .text,
            "geese are");
}

TEST(Odt, ABoxInALineOfNoHeightIsSeen) {
  EXPECT_EQ(
      odt_in(
          make_odt("<text:p text:style-name=\"H\"><draw:frame xmlns:draw=\"d\" xmlns:svg=\"v\" "
                   "svg:x=\"1cm\"><draw:text-box><text:p>seen</text:p></draw:text-box></draw:frame></text:p>",
                   odt_style("H", "paragraph", "<style:paragraph-properties fo:line-height=\"0.01cm\"/>")))
          .text,
      "seen");
}

TEST(Odt, WhiteLettersOnAShadedGroundAreSeen) {
  const std::string white = odt_style("W", "text", "<style:text-properties fo:color=\"#ffffff\"/>");
  const auto ground = [](const std::string& colour) { return " fo:background-color=\"" + colour + "\"/>"; };
  const std::string styles =
      white + odt_style("C", "table-cell", "<style:table-cell-properties" + ground("#4472c4")) +
      odt_style("P", "paragraph", "<style:paragraph-properties" + ground("#102030")) +
      odt_style("G", "graphic", "<style:graphic-properties/>");
  const std::string letters = "<text:span text:style-name=\"W\">seen</text:span></text:p>";
  const std::string seen[] = {
      "<table:table><table:table-row><table:table-cell table:style-name=\"C\"><text:p>" + letters +
          "</table:table-cell></table:table-row></table:table>",
      "<text:p text:style-name=\"P\">" + letters,
      "<text:p><draw:frame draw:style-name=\"G\" xmlns:draw=\"d\"><draw:text-box><text:p>" + letters +
          "</draw:text-box></draw:frame></text:p>"};
  for (const std::string& part : seen) {
    const Document document = odt_in(make_odt(part, styles));
    EXPECT_EQ(document.text, "seen") << part;
    EXPECT_TRUE(document.alerts.empty()) << part;
  }
  EXPECT_EQ(odt_in(make_odt("<text:p>" + letters, styles)).text, "");
  EXPECT_EQ(odt_in(make_odt("<text:p>" + letters, white + "<style:page-layout><style:page-layout-properties" +
                                                      ground("#000000") + "</style:page-layout>"))
                .text,
            "seen");
}

TEST(Odt, LettersOfTheAutomaticColourAreSeenThoughLibreOfficeCallsThemTransparent) {
  const std::string clear = "<style:text-properties xmlns:loext=\"l\" loext:opacity=\"0%\"";
  for (const std::string& seen :
       {clear + " style:use-window-font-color=\"true\"/>",
        clear + "/><style:text-properties style:use-window-font-color=\"true\"/>"}) {
    const Document document =
        odt_in(make_odt("<text:p text:style-name=\"A\">seen</text:p>", odt_style("A", "paragraph", seen)));
    EXPECT_EQ(document.text, "seen") << seen;
    EXPECT_TRUE(document.alerts.empty());
  }
}

TEST(Odt, LettersOfTheAutomaticColourAreSeen) {
  const Document document = odt_in(make_odt(
      "<text:p><text:span text:style-name=\"A\">seen</text:span></text:p>",
      odt_style("A", "text",
                "<style:text-properties fo:color=\"#ffffff\" style:use-window-font-color=\"true\"/>")));
  EXPECT_EQ(document.text, "seen");
}

TEST(Odt, HasTheBaseOfReadingsAndNoRaisedNumbersOfNotes) {
  const std::string styles =
      odt_style("R", "text", "<style:text-properties style:text-position=\"super 58%\"/>") +
      "<number:date-style xmlns:number=\"n\"><number:text>. </number:text></number:date-style>";
  EXPECT_EQ(
      odt_in(make_odt("<text:p><text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう"
                      "</text:ruby-text></text:ruby> gate<text:span text:style-name=\"R\">1</text:span>, "
                      "10<text:span text:style-name=\"R\">3</text:span></text:p>",
                      styles))
          .text,
      "東京 gate, 103");
}

TEST(Odt, ReadingsOfParagraphsWithinOthersAreThoseOfTheirOwnWords) {
  EXPECT_EQ(
      odt_in(make_odt("<text:p>before<text:ruby><text:ruby-base>word</text:ruby-base><text:p><text:ruby-text>"
                      "reading</text:ruby-text></text:p></text:ruby></text:p>"))
          .text,
      "reading\n\nbeforeword");
}

TEST(Odt, TextAboveNothingIsRead) {
  EXPECT_EQ(odt_in(make_odt("<text:p>a <text:ruby><text:ruby-base> </text:ruby-base><text:ruby-text>word"
                            "</text:ruby-text></text:ruby></text:p>"))
                .text,
            "a word");
}

TEST(Odt, WordsOfAnotherLookBetweenTheWordsAreReported) {
  std::string text, revised;
  for (int word = 0; word < 60; ++word) {
    text += "seen <text:span text:style-name=\"G\">unseen</text:span> ";
    revised += "seen <text:span text:style-name=\"R\">seen</text:span> ";
  }
  const std::string styles = odt_style("G", "text", "<style:text-properties fo:color=\"#cccccc\"/>") +
                             odt_style("R", "text", "<style:text-properties officeooo:rsid=\"1\"/>");
  const Document document = odt_in(make_odt("<text:p>" + text + "</text:p>", styles));
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::interleaved_text);
  EXPECT_TRUE(odt_in(make_odt("<text:p>" + revised + "</text:p>", styles)).alerts.empty());
}

TEST(Odt, LongRemarksAndHeadsOfPagesAreLeftOutAndReported) {
  const std::string text(kLeastLeftOut, 'x');
  const Document remark =
      odt_in(make_odt("<text:p>It is<office:annotation><dc:creator>N. N.</dc:creator><text:p>" + text +
                      "</text:p></office:annotation> here.</text:p>"));
  EXPECT_EQ(remark.text, "It is here.");
  ASSERT_EQ(remark.alerts.size(), 1U);
  EXPECT_EQ(remark.alerts[0].kind, FileAlertKind::text_left_out);
  EXPECT_EQ(remark.alerts[0].characters, kLeastLeftOut);
  const Document head = odt_in(make_zip(
      {{"mimetype", "application/vnd.oasis.opendocument.text"},
       {"styles.xml",
        "<office:document-styles xmlns:office=\"o\" xmlns:style=\"s\" xmlns:text=\"t\"><style:header>"
        "<text:p>" +
            text + "</text:p></style:header></office:document-styles>"},
       {"content.xml",
        "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\"><office:body><office:text>"
        "<text:p>It is here.</text:p></office:text></office:body></office:document-content>"}}));
  EXPECT_EQ(head.text, "It is here.");
  ASSERT_EQ(head.alerts.size(), 1U);
  EXPECT_EQ(head.alerts[0].kind, FileAlertKind::text_left_out);
}

TEST(Odt, LabelsOfFormsAreLeftOut) {
  const std::string label(kLeastLeftOut, 'x');
  const Document document = odt_in(make_odt(
      "<text:p>It is here.</text:p><form:fixed-text xmlns:form=\"form\" form:label=\"" + label + "\"/>"));
  EXPECT_EQ(document.text, "It is here.");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::text_left_out);
}

}  // namespace
}  // namespace akin::extract
