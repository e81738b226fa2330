// XML of no format of its own: TEI, and elements of any name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "extract/child/readers.h"

namespace akin::extract {
namespace {

using ::testing::ElementsAre;

Document document_in(const std::string& root) {
  const Result<Document> document = read_file("<?xml version=\"1.0\"?>\n" + root, 1U << 20U);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *document : Document();
}

Document tei(const std::string& body) {
  return document_in(
      "<TEI><teiHeader><fileDesc><titleStmt><title>Geese</title><author>A. Bird</author></titleStmt>"
      "<publicationStmt><p>Nobody.</p><date>1901</date></publicationStmt></fileDesc><profileDesc>"
      "<langUsage><language ident=\"en\">English</language></langUsage></profileDesc></teiHeader>"
      "<text><body>" +
      body + "</body></text></TEI>");
}

TEST(Tei, TheTextIsReadAndTheHeaderIsItsMetadata) {
  const Document document =
      tei("<div><head>One</head>\n<p>The <hi>grey</hi> geese.</p>\n<p>And the\nmill.</p></div>");
  EXPECT_EQ(document.text, "One\n\nThe grey geese.\n\nAnd the mill.");
  EXPECT_EQ(document.type, "xml");
  EXPECT_EQ(document.metadata.title, "Geese");
  EXPECT_THAT(document.metadata.authors, ElementsAre("A. Bird"));
  EXPECT_EQ(document.metadata.language, "en");
  EXPECT_EQ(document.metadata.date, "1901");
}

TEST(Tei, ANoteStandsAfterItsParagraph) {
  const Document document = tei("<p>Before<note>Of <hi>it</hi>.</note> and after.</p><p>Next.</p>");
  EXPECT_EQ(document.text, "Before and after.\n\nOf it.\n\nNext.");
  ASSERT_EQ(document.map.size(), 3U);
  EXPECT_EQ(document.map[1].kind, PieceKind::footnote);
}

TEST(Tei, AStanzaIsOneParagraphOfItsLines) {
  EXPECT_EQ(tei("<lg><l>Tiger, tiger,</l> <l>burning bright</l></lg><lg><l>In the forests</l></lg>").text,
            "Tiger, tiger,\nburning bright\n\nIn the forests");
}

TEST(Tei, OfAChoiceTheEditorsReadingIsRead) {
  EXPECT_EQ(tei("<p>The <choice><sic>gese</sic><corr>geese</corr></choice> fly.</p>").text, "The geese fly.");
}

TEST(Tei, AWordThatALineBreakDividesIsWhole) {
  EXPECT_EQ(tei("<p>The gee<lb break=\"no\"/>se fly<lb/>away.</p>").text, "The geese fly\naway.");
}

TEST(Tei, WordsThatAreElementsAreOneSentence) {
  EXPECT_EQ(tei("<p><s><w>The</w> <w>geese</w><pc>.</pc></s></p>").text, "The geese.");
}

TEST(Xml, EachElementIsAParagraphUnlessItIsAmidText) {
  EXPECT_EQ(
      document_in("<book><name>Geese</name><bit>The <b>grey</b> geese.</bit><bit>The mill.</bit></book>")
          .text,
      "Geese\n\nThe grey geese.\n\nThe mill.");
}

TEST(Xml, AWordDocumentInOneFileGivesItsParagraphs) {
  EXPECT_EQ(
      document_in("<w:wordDocument xmlns:w=\"w\" xmlns:o=\"o\"><o:DocumentProperties><o:Title>T</o:Title>"
                  "</o:DocumentProperties><w:body><w:p><w:r><w:t>The grey </w:t></w:r><w:r><w:t>geese.</w:t>"
                  "</w:r></w:p><w:p><w:r><w:t>The mill.</w:t></w:r></w:p></w:body></w:wordDocument>")
          .text,
      "The grey geese.\n\nThe mill.");
}

TEST(Xml, AnOpenDocumentInOneFileGivesItsParagraphs) {
  EXPECT_EQ(
      document_in(
          "<o:document xmlns:o=\"o\" xmlns:t=\"t\"><o:meta><t:x>Someone</t:x></o:meta><o:body><o:text>"
          "<t:h>Geese</t:h><t:p>The<t:s/>grey<t:span> geese</t:span>.</t:p></o:text></o:body></o:document>")
          .text,
      "Geese\n\nThe grey geese.");
}

TEST(Xml, WhatIsNotWellFormedIsReadAndSaidSo) {
  const Document document = document_in("<book><bit>The grey geese.</bit><bit>The mill.</book>");
  EXPECT_EQ(document.text, "The grey geese.\n\nThe mill.");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::part_missing);
}

}  // namespace
}  // namespace akin::extract
