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

/// An item of news with this content, in the form of an agency.
std::string news_item(const std::string& content) {
  return "<newsItem xmlns=\"http://iptc.org/std/nar/2006-10-01/\" guid=\"urn:newsml:agency.example:1\" "
         "version=\"2\"><rightsInfo><copyrightNotice>All rights reserved.</copyrightNotice></rightsInfo>"
         "<itemMeta><itemClass qcode=\"ninat:text\"/><provider qcode=\"p:A\"><name>The "
         "Agency</name></provider>"
         "<versionCreated>2026-05-01T11:00:00Z</versionCreated><firstCreated>2026-05-01T09:00:00Z</"
         "firstCreated>"
         "<title>geese-2</title></itemMeta><contentMeta><contentCreated>2026-04-01</contentCreated>"
         "<creator><name>A. Bird</name></creator><language tag=\"en-GB\"/><headline>Geese\nreturn</headline>"
         "<slugline>GEESE</slugline></contentMeta><contentSet>" +
         content + "</contentSet></newsItem>";
}

TEST(News, TheContentIsTheTextAndTheItemSaysWhoPublishedItWhen) {
  const Document document = document_in(news_item(
      "<inlineXML contenttype=\"application/nitf+xml\"><nitf><head><title>x</title></head><body><body.head>"
      "<hedline><hl1>Geese return</hl1></hedline><byline>By A. Bird</byline></body.head><body.content>"
      "<p>The grey <em>geese</em> are back.</p><hl2>Where</hl2><p>On "
      "the\nmill.</p></body.content></body></nitf>"
      "</inlineXML>"));
  EXPECT_EQ(document.text, "The grey geese are back.\n\nWhere\n\nOn the mill.");
  EXPECT_EQ(document.metadata.title, "Geese return");
  EXPECT_EQ(document.metadata.date, "2026-05-01T09:00:00Z");
  EXPECT_EQ(document.metadata.site, "The Agency");
  EXPECT_EQ(document.metadata.language, "en-GB");
  EXPECT_THAT(document.metadata.authors, ElementsAre("A. Bird"));
  EXPECT_THAT(document.metadata.identifiers, ElementsAre("urn:newsml:agency.example:1"));
}

TEST(News, PagesAreReadFromTheirBody) {
  EXPECT_EQ(document_in(
                news_item("<inlineXML contenttype=\"application/xhtml+xml\"><html><head><title>x</title>"
                          "<style>p {}</style></head><body><p>One.</p><p>Two.</p></body></html></inlineXML>"))
                .text,
            "One.\n\nTwo.");
  EXPECT_EQ(
      document_in(news_item("<inlineData contenttype=\"text/html\"><![CDATA[<p>One.</p><p>T&amp;o.</p>]]>"
                            "</inlineData>"))
          .text,
      "One.\n\nT&o.");
}

TEST(News, PlainTextKeepsItsParagraphs) {
  EXPECT_EQ(document_in(news_item("<inlineData contenttype=\"text/plain\">One.\n\nTwo.</inlineData>")).text,
            "One.\n\nTwo.");
}

TEST(News, DataInAnotherFormIsReportedAsMissing) {
  const Document document = document_in(news_item("<inlineData encoding=\"e:base64\">SGVsbG8=</inlineData>"));
  EXPECT_EQ(document.text, "");
  ASSERT_EQ(document.alerts.size(), 1U);
  EXPECT_EQ(document.alerts[0].kind, FileAlertKind::part_missing);
}

TEST(News, OfAMessageTheItemsAreOneTextAndTheFirstNamesIt) {
  const std::string one = news_item("<inlineData>One.</inlineData>");
  std::string two = news_item("<inlineData>Two.</inlineData>");
  two.replace(two.find("Geese"), 5, "Ducks");
  const Document document =
      document_in("<newsMessage><header><sent>2026-06-01</sent><priority>5</priority></header><itemSet>" +
                  one + two + "</itemSet></newsMessage>");
  EXPECT_EQ(document.text, "One.\n\nTwo.");
  EXPECT_EQ(document.metadata.title, "Geese return");
}

TEST(Tei, LinesOfABlockQuotationAreSetOff) {
  const std::string expected = "One.\n\n    The grey geese.\n\nTwo.";
  for (const char* quotation :
       {"<quote>The grey geese.</quote>", "<quote><p>The grey geese.</p></quote>",
        "<cit><quote>The grey geese.</quote></cit>", "<q rend=\"block\">The grey geese.</q>",
        "<epigraph><p>The grey geese.</p></epigraph>"})
    EXPECT_EQ(tei("<p>One.</p>" + std::string(quotation) + "<p>Two.</p>").text, expected) << quotation;
  EXPECT_EQ(tei("<p>One. <quote rend=\"blockquote\">The <hi>grey</hi> geese.</quote> Two.</p>").text,
            expected);
  EXPECT_EQ(tei("<p>One.</p><quote><lg><l>The grey</l><l>geese.</l></lg></quote><p>Two.</p>").text,
            "One.\n\n    The grey\n    geese.\n\nTwo.");
}

TEST(Tei, AQuotationWithinAParagraphBelongsToIt) {
  EXPECT_EQ(tei("<p>He wrote <quote>the geese</quote> and <q>the mill</q>.</p>").text,
            "He wrote the geese and the mill.");
}

TEST(Xml, LinesOfABlockQuotationAreSetOff) {
  const std::string expected = "One.\n\n    The grey geese.\n\nTwo.";
  for (const char* document :
       {"<article><para>One.</para><blockquote><para>The grey "
        "geese.</para></blockquote><para>Two.</para></article>",
        "<body><p>One.</p><disp-quote><p>The grey geese.</p></disp-quote><p>Two.</p></body>",
        "<body><p>One. <disp-quote><p>The grey geese.</p></disp-quote> Two.</p></body>"})
    EXPECT_EQ(document_in(document).text, expected) << document;
}

TEST(Xml, AQuotationOfDocBookHasItsMarks) {
  EXPECT_EQ(document_in("<article><para>He wrote <quote>the geese</quote>.</para></article>").text,
            "He wrote \u201cthe geese\u201d.");
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
