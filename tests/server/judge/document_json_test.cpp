#include "server/judge/document_json.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <string>

#include "tests/server/judge/judge_fixture.h"

namespace akin::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DocumentLine, GivesAllThatIsTold) {
  const Document document = need(document_of_line(
      R"({"id":"a","title":"T","text":"Text.","time":"2020-05-06T10:00:00+02:00","source":"agency",)"
      R"("authority":0.75,"url":"https://www.example.org/x?y","links":["https://example.net"],"images":3,)"
      R"("metadata":{"author":"N. N."},"stored":"2024-01-01"})"));
  EXPECT_EQ(document.id, "a");
  EXPECT_EQ(document.title, "T");
  EXPECT_EQ(document.text, "Text.");
  EXPECT_EQ(document.time, 1588752000);
  EXPECT_EQ(document.source, "agency");
  EXPECT_EQ(document.authority, 0.75);
  EXPECT_THAT(document.links, ElementsAre("https://example.net"));
  EXPECT_TRUE(document.has_links);
  EXPECT_EQ(document.images, 3U);
}

TEST(DocumentLine, TakesWhatMetadataTell) {
  const Document document = need(document_of_line(
      R"({"id":"a","text":"Text.","metadata":{"date":"2020-05-06","url":"https://www.example.org:80/x"}})"));
  EXPECT_EQ(document.time, 1588723200);
  EXPECT_EQ(document.source, "example.org:80");
  EXPECT_FALSE(document.has_links);
  EXPECT_EQ(document.images, std::nullopt);
  EXPECT_EQ(need(document_of_line(R"({"text":"x","source":"s","metadata":{"source":"t"}})")).source, "s");
}

TEST(DocumentLine, TakesWhatPagesSayOfThemselves) {
  const Document document = need(document_of_line(
      R"({"id":"a","text":"Text.","metadata":{"site":"The Valley Post","url":"https://valley.example/1",)"
      R"("links":["https://x.example/"],"images":2,"authority":0.5,"subject":"mills"}})"));
  EXPECT_EQ(document.source, "The Valley Post");
  EXPECT_THAT(document.links, ElementsAre("https://x.example/"));
  EXPECT_TRUE(document.has_links);
  EXPECT_EQ(document.images, 2U);
  EXPECT_EQ(document.authority, 0.5);
  EXPECT_EQ(document.metadata.at("subject"), "mills");
  const Document given = need(document_of_line(
      R"({"text":"x","links":[],"images":0,"metadata":{"links":["https://x.example/"],"images":2}})"));
  EXPECT_TRUE(given.has_links && given.links.empty());
  EXPECT_EQ(given.images, 0U) << "fields of the line come first";
  const Document odd =
      need(document_of_line(R"({"text":"x","metadata":{"links":"none","images":-1,"authority":7}})"));
  EXPECT_FALSE(odd.has_links || odd.images || odd.authority) << "other forms say nothing";
}

TEST(DocumentLine, ParagraphsArePartedByBlankLines) {
  EXPECT_EQ(need(document_of_line(R"({"paragraphs":["One.","Two."]})")).text, "One.\n\nTwo.");
}

TEST(DocumentLine, WrongFieldsAreNamed) {
  const struct {
    const char* line;
    const char* told;
  } rows[] = {{R"({"id":"a"})", "'text'"},
              {R"({"text":5})", "'text'"},
              {R"({"text":"x","time":"yesterday"})", "'time'"},
              {R"({"text":"x","metadata":{"date":"soon"}})", "'time'"},
              {R"({"text":"x","metadata":[]})", "'metadata'"},
              {R"({"text":"x","authority":1.5})", "'authority'"},
              {R"({"text":"x","links":[1]})", "'links'"},
              {R"({"text":"x","images":-1})", "'images'"},
              {R"({"text":"x","paragraphs":[]})", "'paragraphs'"},
              {R"({"text":"x","colour":"red"})", "'colour'"},
              {R"(["text"])", "object"}};
  for (const auto& row : rows) {
    const auto read = document_of_line(row.line);
    ASSERT_TRUE(read.has_error()) << row.line;
    EXPECT_EQ(read.error().code, Errc::invalid_argument) << row.line;
    EXPECT_THAT(read.error().message(), HasSubstr(row.told)) << row.line;
  }
  EXPECT_EQ(document_of_line("{").error().code, Errc::invalid_json);
  EXPECT_EQ(document_of_line("{\"text\":\"\xff\"}").error().code, Errc::invalid_utf8);
}

TEST(DocumentLine, MayHaveTheFieldsOfAFeed) {
  const Document feed = need(document_of_line(
      R"({"link":"https://www.vesti.example/7","title":"A","text":"x","published":"Fri, 17 May 2024 08:30:00 +0200",)"
      R"("links":[{"href":"https://vesti.example/7"}],"source":{"title":"Vesti"},"tags":[{"term":"news"}]})"));
  EXPECT_EQ(feed.id, "https://www.vesti.example/7");
  EXPECT_EQ(feed.source, "vesti.example");
  EXPECT_EQ(feed.time, 1715927400);
  EXPECT_FALSE(feed.has_links);

  const Document extracted = need(document_of_line(
      R"({"id":null,"title":null,"text":"x","source":"https://vesti.example/8","hostname":"vesti.example",)"
      R"("source-hostname":"Vesti","date":"2024-05-17","fingerprint":"f5","comments":"","image":null})"));
  EXPECT_EQ(extracted.id, "https://vesti.example/8");
  EXPECT_EQ(extracted.source, "vesti.example");
  EXPECT_EQ(extracted.time, 1715904000);

  const Document item = need(document_of_line(
      R"({"id":"9","url":"https://b.example/9","content_text":"y","date_published":"2024-05-17T08:30:00"})"));
  EXPECT_EQ(item.id, "9");
  EXPECT_EQ(item.text, "y");
  EXPECT_EQ(item.time, 1715934600);
}

TEST(DocumentLine, AFeedsTimeIsOfAKnownForm) {
  const auto time_of = [](const std::string& time) {
    const auto read = document_of_line(R"({"id":"a","text":"x","published":")" + time + "\"}");
    return read.has_error() ? std::optional<std::int64_t>() : read->time;
  };
  EXPECT_EQ(time_of("1 Jan 1970 00:00 GMT"), 0);
  EXPECT_EQ(time_of("Thu, 01 Jan 1970 01:00:00 +0100"), 0);
  EXPECT_EQ(time_of("Wed, 31 Dec 1969 19:00:00 EST"), 0);
  EXPECT_EQ(time_of("1970-01-01"), 0);
  for (const char* zero :
       {"1970-01-01T00:00:00", "1970-01-01 00:00:00", "1970-01-01 00:00:00.25", "1970-01-01 01:00:00+01:00",
        "1970-01-01 01:00:00 +0100", "1970-01-01 00:00:00 UTC", "19700101T000000Z", "19700101T010000+0100",
        "19700101T000000"})
    EXPECT_EQ(time_of(zero), 0) << zero;
  for (const char* wrong :
       {"yesterday", "Thu, 32 Jan 1970 00:00:00 GMT", "1 anF 1970 00:00:00 GMT", "1 Jan 70 00:00:00 GMT",
        "1 Jan 1970 00:00:00", "1 Jan 1970 00:00:00 XST", "Jan 1970", "02.11.2026", "1970-01-01 soon",
        "1970-01-01 ", "19701301T000000Z", "1970-01-0100:00:00", "1970-01-01x00:00:00"})
    EXPECT_EQ(time_of(wrong), std::nullopt) << wrong;
  EXPECT_THAT(document_of_line(R"({"text":"x","published":"soon"})").error().message(),
              HasSubstr("'published'"));
}

TEST(LabelledLine, HoldsDocumentsOrTheirIds) {
  const LabelledLine both = need(labelled_line(R"({"a":{"text":"x"},"b":"other","label":true})"));
  EXPECT_FALSE(both.a_by_id);
  EXPECT_TRUE(both.b_by_id);
  EXPECT_EQ(both.pair.a.text, "x");
  EXPECT_EQ(both.pair.b.id, "other");
  EXPECT_TRUE(both.pair.label);
  EXPECT_FALSE(need(labelled_line(R"({"a":"x","b":"y","label":"not"})")).pair.label);
  for (const char* wrong :
       {R"({"a":"x","label":true})", R"({"a":"x","b":"y"})", R"({"a":"x","b":5,"label":true})",
        R"({"a":"x","b":"y","label":"perhaps"})", R"({"a":"x","b":"y","label":1.5})"}) {
    EXPECT_TRUE(labelled_line(wrong).has_error()) << wrong;
  }
}

TEST(Labels, AreWordsInAnyCase) {
  for (const char* yes : {"yes", "TRUE", "1", "OK", "Duplicate"}) EXPECT_TRUE(need(parse_label(yes))) << yes;
  for (const char* no : {"no", "False", "0", "BAD", "not"}) EXPECT_FALSE(need(parse_label(no))) << no;
  EXPECT_TRUE(parse_label("").has_error());
}

TEST(Table, RowsArePairsAndDocuments) {
  const TableReader table = need(TableReader::open("label\ttitle_a\ttext_a\ttext_b\turl_a\ttime_b\r"));
  const LabelledPair pair =
      need(table.pair("OK\tTitle\tText a.\tText b.\thttps://www.example.org/1\t2020-05-06\r"));
  EXPECT_TRUE(pair.label);
  EXPECT_EQ(pair.a.title, "Title");
  EXPECT_EQ(pair.a.source, "example.org");
  EXPECT_EQ(pair.a.id, "https://www.example.org/1");
  EXPECT_EQ(pair.b.text, "Text b.");
  EXPECT_EQ(pair.b.time, 1588723200);
  EXPECT_TRUE(table.pair("OK\tTitle").has_error());
  EXPECT_TRUE(table.pair("?\t\t\t\t\t").has_error());
  EXPECT_TRUE(table.document("OK\tTitle\tText\t\t\t").has_error());  // no column text
  EXPECT_EQ(need(need(TableReader::open("category\ttext")).document("x\tBody.")).text, "Body.");
  EXPECT_TRUE(TableReader::open("text\ttext").has_error());
}

}  // namespace
}  // namespace akin::judge
