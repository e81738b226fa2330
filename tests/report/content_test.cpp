#include "report/content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace akin::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Content of(const std::string& body) {
  return read_content(
      "<!doctype html><html lang=\"ru\"><head><meta charset=\"utf-8\"><title>Отчёт &amp; Co</title>"
      "<style>p { color: red }</style></head><body>" +
      body + "</body></html>");
}

/// The parts in a line each: "H2 text", "P text", "> text", "[" and "]" around lists, "1." before items.
std::vector<std::string> lines(const std::string& body) {
  std::vector<std::string> all;
  for (const Part& part : of(body).parts) {
    if (part.kind == Part::Kind::end) {
      if (part.role == Role::list) all.emplace_back("]");
    } else if (part.kind == Part::Kind::begin) {
      all.push_back(part.role == Role::list ? "[" : part.label);
    } else {
      const std::string mark = part.role == Role::heading     ? "H" + std::to_string(part.level)
                               : part.role == Role::quotation ? ">"
                                                              : "P";
      all.push_back(mark + " " + part.text.bytes);
    }
  }
  return all;
}

Text text_of(const std::string& body) { return of(body).parts.at(0).text; }

TEST(ReportContent, APageHasItsTitleAndLanguage) {
  const Content content = of("<h1>x</h1>");
  EXPECT_EQ(content.title, "Отчёт & Co");
  EXPECT_EQ(content.language, "ru");
  EXPECT_EQ(content.certificate, "");
}

TEST(ReportContent, HeadingsParagraphsAndQuotationsAreInOrder) {
  EXPECT_THAT(lines("<main><h2>Sources</h2><section><h3>One</h3><p>said <strong>so</strong></p>\n"
                    "<blockquote>by him</blockquote></section></main>"),
              ElementsAre("H2 Sources", "H3 One", "P said so", "> by him"));
}

TEST(ReportContent, ItemsOfListsAreNumberedOrMarked) {
  EXPECT_THAT(lines("<ol><li><p>a</p></li><li>b<br>c</li></ol><ul><li>d</li></ul>"),
              ElementsAre("[", "1.", "P a", "2.", "P b\nc", "]", "[", "•", "P d", "]"));
}

TEST(ReportContent, ATermAndItsDescriptionAreOneParagraph) {
  EXPECT_THAT(lines("<dl><dt>File</dt><dd>pdf</dd><dt>By</dt><dd>me</dd></dl>"),
              ElementsAre("P File: pdf", "P By: me"));
}

TEST(ReportContent, WhatIsForTheScreenIsLeftOut) {
  EXPECT_THAT(lines("<header><nav>a</nav></header><p class=\"screen\">b</p><form><button>c</button></form>"
                    "<style>d</style><script>e</script><p>f</p>"),
              ElementsAre("P f"));
}

TEST(ReportContent, EmptyElementsAreNoParagraphs) {
  EXPECT_THAT(lines("<p> \n</p><div></div><p><span></span></p>"), IsEmpty());
}

TEST(ReportContent, LineBreaksOfAQuotationStay) {
  EXPECT_THAT(lines("<blockquote>  one\n\n two </blockquote>"), ElementsAre("> one\n\n two"));
}

TEST(ReportContent, MatchesHaveTheirPattern) {
  const Text text = text_of(
      "<p>я <mark class=\"s4\">был</mark> <mark class=\"off\">там</mark> <span class=\"left\">не</span></p>");
  ASSERT_EQ(text.stretches.size(), 3U);
  EXPECT_EQ(text.stretches[0].look, Look::match);
  EXPECT_EQ(text.stretches[0].pattern, 4);
  EXPECT_EQ(text.bytes.substr(text.stretches[0].begin, text.stretches[0].end - text.stretches[0].begin),
            "был");
  EXPECT_EQ(text.stretches[1].look, Look::off);
  EXPECT_EQ(text.stretches[2].look, Look::left_out);
}

TEST(ReportContent, AWordThatDiffersIsMarkedWithoutWhatIsOnlySpoken) {
  const Text text = text_of(
      "<blockquote>a <mark class=\"change\">b<span class=\"spoken\"> (moved)</span></mark> c</blockquote>");
  EXPECT_EQ(text.bytes, "a b c");
  ASSERT_EQ(text.stretches.size(), 1U);
  EXPECT_EQ(text.stretches[0].look, Look::change);
}

TEST(ReportContent, ALinkLeadsToAPlaceOfThePageAndNowhereElse) {
  const Text text = text_of(
      "<p><a id=\"m1\" href=\"#p1\">[2]</a>text <a href=\"#gone\">a</a> <a href=\"/desk/\">b</a></p>"
      "<section id=\"p1\"><h4>x</h4></section>");
  ASSERT_EQ(text.stretches.size(), 1U);
  EXPECT_EQ(text.stretches[0].target, "p1");
  EXPECT_EQ(text.stretches[0].look, Look::number);
  ASSERT_EQ(text.anchors.size(), 1U);
  EXPECT_EQ(text.anchors[0].name, "m1");
}

TEST(ReportContent, TheAnchorOfASectionIsThatOfItsFirstText) {
  const Content content = of("<a href=\"#p1\">x</a><section id=\"p1\"><h4>y</h4></section>");
  ASSERT_EQ(content.parts.size(), 2U);
  ASSERT_EQ(content.parts[1].text.anchors.size(), 1U);
  EXPECT_EQ(content.parts[1].text.anchors[0].name, "p1");
}

TEST(ReportContent, ACertificateIsDataOfThePage) {
  const Content content =
      of("<p>a</p><script type=\"application/json\">{\"title\": \"\\u003c/script>\"}</script>");
  EXPECT_EQ(content.certificate, "{\"title\": \"\\u003c/script>\"}");
  EXPECT_EQ(content.parts.size(), 1U);
}

TEST(ReportContent, AParagraphMayHaveAnyLength) {
  const std::string longest(std::size_t{12} << 20U, 'x');  // more than libxml2 takes without being asked
  EXPECT_EQ(text_of("<p>" + longest + "</p>").bytes, longest);
}

TEST(ReportContent, NothingIsNoPage) { EXPECT_THROW((void)read_content(""), std::runtime_error); }

}  // namespace
}  // namespace akin::report
