// What pages of several makers say about themselves → metadata.
#include "server/ingest/page_metadata.h"

#include <gtest/gtest.h>

#include <string>

#include "server/ingest/read_document.h"
#include "server/json/json.h"

namespace akin::ingest {
namespace {

struct PageRow {
  const char* name;
  const char* page;
  const char* metadata;  ///< without "format"
};

void PrintTo(const PageRow& row, std::ostream* out) { *out << row.name; }

class PageMetadata : public ::testing::TestWithParam<PageRow> {};

json::Json metadata_of(const std::string& page) {
  const auto document = document_of(page, {.format = Format::html}, "page.html");
  EXPECT_TRUE(document.has_value());
  const std::string metadata = file_metadata(*document);
  return metadata.empty() ? json::Json() : json::Json::parse(metadata);
}

TEST_P(PageMetadata, IsWhatThePageSays) {
  auto metadata = metadata_of(GetParam().page);
  if (metadata.is_object()) {
    EXPECT_EQ(metadata["format"], "html");
    metadata.erase("format");
  }
  EXPECT_EQ(metadata, json::Json::parse(GetParam().metadata));
}

// WordPress with Yoast: one graph, whose article names its author and publisher by "@id".
constexpr const char* kWordPress = R"html(<!DOCTYPE html><html lang="en-US"><head>
<title>Mill reopens - The Valley Post</title>
<link rel="canonical" href="https://valley.example/2024/05/mill-reopens/" />
<meta property="og:site_name" content="The Valley Post" />
<meta property="article:published_time" content="2024-05-17T06:30:00+00:00" />
<script type="application/ld+json" class="yoast-schema-graph">{"@context":"https://schema.org","@graph":[
{"@type":"Article","author":{"@id":"https://valley.example/#/person/1"},"datePublished":"2024-05-17T06:30:00+00:00",
"publisher":{"@id":"https://valley.example/#organization"}},
{"@type":"Organization","@id":"https://valley.example/#organization","name":"Valley Media"},
{"@type":"Person","@id":"https://valley.example/#/person/1","name":"Ada Miller"}]}</script>
</head><body><nav><a href="/">Home</a> <a href="/sport/">Sport</a></nav>
<article><h1>Mill reopens</h1><img src="/mill.jpg"><p>The <a href="https://council.example/minutes#mill">council</a>
voted, as <a href="/2024/04/vote/">reported</a>. <a href="#comments">3 comments</a></p>
<img src="https://stats.example/p.gif" width="1" height="1"></article>
<footer><a href="/about/">About</a> <a href="https://social.example/valley">Follow</a></footer></body></html>)html";

// A newspaper's own system: an array with one article, persons in an array, times that have no colon.
constexpr const char* kNewspaper = R"html(<html lang="ru"><head><title>Мост открыт</title>
<meta property="og:url" content="https://news.example/bridge?utm=1">
<script type='application/ld+json'>[{"@context":"http://schema.org","@type":"NewsArticle",
"datePublished":"2023-11-05T09:15:00+0300","author":[{"@type":"Person","name":"И. Волков"},{"@type":"Person","name":"О. Лис"}],
"publisher":{"@type":"Organization","name":"Северные вести"}}]</script></head>
<body><div><p>Мост открыли.</p><img src=a.jpg><video src=b.mp4>film</video></div></body></html>)html";

// Open Journal Systems: Dublin Core and Google Scholar.
constexpr const char* kJournal = R"html(<html lang=en><head><title>On mills</title>
<meta name="citation_journal_title" content="Journal of Mills"/>
<meta name="citation_author" content="Jane Roe"/><meta name="citation_author" content="John Doe"/>
<meta name="citation_publication_date" content="2019/03/07"/>
<meta name="DC.Date.issued" scheme="ISO8601" content="2019-03-07"/></head><body><p>Abstract.</p></body></html>)html";

// A static generator: microdata and <time>, and another article's time in the menu.
constexpr const char* kStatic = R"html(<html><head><meta name=author content="  Kim
 Lee "></head><body><nav><a href="/b">Before: <time datetime="2020-01-01">1 January</time></a></nav>
<article><time datetime="2021-02-03 14:05">3 February</time><p>A text that is longer than the menu before it, as texts are.</p></article></body></html>)html";

INSTANTIATE_TEST_SUITE_P(
    Makers, PageMetadata,
    ::testing::Values(
        PageRow{"WordPress", kWordPress,
                R"({"author":"Ada Miller","language":"en-US","date":"2024-05-17T06:30:00+00:00",
                    "site":"The Valley Post","url":"https://valley.example/2024/05/mill-reopens/",
                    "links":["https://council.example/minutes","https://valley.example/2024/04/vote/"],
                    "images":1})"},
        PageRow{"Newspaper", kNewspaper,
                R"({"author":"И. Волков; О. Лис","language":"ru","date":"2023-11-05T09:15:00+03:00",
                    "site":"Северные вести","url":"https://news.example/bridge?utm=1","links":[],"images":2})"},
        PageRow{
            "Journal", kJournal,
            R"({"author":"Jane Roe; John Doe","language":"en","date":"2019-03-07","site":"Journal of Mills",
                    "links":[],"images":0})"},
        PageRow{"Static", kStatic,
                R"({"author":"Kim Lee","date":"2021-02-03T14:05:00Z","links":[],"images":0})"},
        PageRow{"NothingSaid", "<html lang=en><title>T</title><p>Text.</p>", "null"},
        PageRow{"NoDate", "<meta name=date content=yesterday><meta name=author content=N>Text",
                R"({"author":"N","links":[],"images":0})"},
        PageRow{"AnAddressIsNoAuthor",
                "<meta property=article:author content=https://social.example/n><p>Text <img src=a>",
                R"({"links":[],"images":1})"},
        PageRow{"RelativeLinksNeedABase", "<p>A <a href=b.html>b</a> <a href='http://c.example/'>c</a>",
                R"({"links":["http://c.example/"],"images":0})"},
        PageRow{"NoLinksOfScriptsAndMail",
                "<base href='https://d.example/x/'><p>A <a href='javascript:f()'>b</a> <a "
                "href=mailto:n@d.example>c</a> "
                "<a href='../e'>d</a> <a href='/e#f'>e</a>",
                R"({"links":["https://d.example/e"],"images":0})"},
        PageRow{"HiddenIsNotCounted",
                "<p>Text</p><p hidden><a href=https://s.example/>x</a><img src=a></p>"
                "<meta name=author content=N>",
                R"({"author":"N","links":[],"images":0})"},
        PageRow{
            "BrokenLinkedData",
            "<script type=application/ld+json>{\"datePublished\":</script><meta name=author content=N>Text",
            R"({"author":"N","links":[],"images":0})"}),
    [](const auto& row) { return row.param.name; });

TEST(PageMetadata, EverythingIsBounded) {
  std::string page = "<meta name=author content='" + std::string(5000, 'a') + "'>";
  for (int i = 0; i < 1000; ++i) {
    const std::string n = std::to_string(i);
    page += "<meta name=citation_author content='N" + n + "'><a href='https://e.example/" + n + "'>a</a>";
  }
  page += "<a href='https://e.example/" + std::string(5000, 'b') + "'>b</a>";
  const auto metadata = metadata_of(page);
  EXPECT_EQ(metadata["links"].size(), extract::kMostLinks);
  EXPECT_EQ(metadata["author"].get<std::string>().substr(0, 8), "N0; N1; ");
  EXPECT_LT(metadata.dump().size(), 8'000U);
}

TEST(PageDate, IsReadInItsUsualWritings) {
  EXPECT_EQ(rfc3339_of_page("2024-05-17"), "2024-05-17");
  EXPECT_EQ(rfc3339_of_page("2024/5/7"), "2024-05-07");
  EXPECT_EQ(rfc3339_of_page("2024-05-17T08:30"), "2024-05-17T08:30:00Z");
  EXPECT_EQ(rfc3339_of_page("2024-05-17 08:30:01.5 -0430"), "2024-05-17T08:30:01-04:30");
  for (const char* const none : {"", "17 May", "2024-13-01", "2024-02-30", "20240517", "2024-05-17T25:00Z"})
    EXPECT_EQ(rfc3339_of_page(none), "") << none;
}

}  // namespace
}  // namespace akin::ingest
