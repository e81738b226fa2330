// Files → documents: formats, dumps, and which texts are left out.
#include <bzlib.h>
#include <gmock/gmock.h>

#include <fstream>

#include "base/utf8.h"
#include "server/ingest/document_batches.h"
#include "tests/morph/tiny_dictionary.h"
#include "tests/support/temporary_folder.h"

namespace akin::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string bzip2(const std::string& bytes) {
  std::string packed(bytes.size() + 1000, '\0');
  auto size = static_cast<unsigned>(packed.size());
  std::string source = bytes;
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, source.data(),
                                     static_cast<unsigned>(source.size()), 9, 0, 0),
            BZ_OK);
  packed.resize(size);
  return packed;
}

class Files : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view content) {
    std::ofstream(folder_.path() / name, std::ios::binary) << content;
    files_.push_back({folder_.path() / name, name, content.size()});
  }

  std::vector<OwnedDocument> read(Reading reading = {}, const Validity& wanted = {}) {
    DocumentBatches batches(files_, std::move(reading), wanted,
                            [this](const OwnedDocument& document, const NotValid& why) {
                              left_out_.push_back(document_name(files_, document) + ": " + why.detail);
                            });
    std::vector<OwnedDocument> all;
    for (;;) {
      auto batch = batches.next(100);  // so small that there are several
      EXPECT_FALSE(batch.has_error());
      if (batch.has_error() || batch->empty()) break;
      for (OwnedDocument& document : *batch) all.push_back(std::move(document));
    }
    report_ = batches.report();
    return all;
  }

  static std::vector<std::string> ids(const std::vector<OwnedDocument>& documents) {
    std::vector<std::string> ids;
    for (const OwnedDocument& document : documents) ids.push_back(document.id);
    return ids;
  }

  test::TemporaryFolder folder_;
  std::vector<InputFile> files_;
  std::vector<std::string> left_out_;
  FeedReport report_;
};

constexpr const char* kDump = R"(<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="ru">
<siteinfo><sitename>Вики</sitename><namespaces><namespace key="0"/></namespaces></siteinfo>
<page><title>Собака</title><ns>0</ns><id>7</id>
  <revision><id>70</id><timestamp>2020-01-02T03:04:05Z</timestamp><contributor><username>N</username><id>1</id></contributor>
    <model>wikitext</model><text bytes="5" xml:space="preserve">старое</text></revision>
  <revision><id>71</id><timestamp>2021-01-02T03:04:05Z</timestamp><model>wikitext</model>
    <text>'''Соба́ка''' &amp;mdash; [[зверь]].&lt;ref&gt;x&lt;/ref&gt;</text></revision></page>
<page><title>Пёс</title><ns>0</ns><id>8</id><redirect title="Собака"/><revision><id>80</id><text>#REDIRECT [[Собака]]</text></revision></page>
<page><title>Шаблон:А</title><ns>10</ns><id>9</id><revision><id>90</id><text>a</text></revision></page>
<page><title>Style.css</title><ns>0</ns><id>10</id><revision><id>91</id><model>css</model><text>a</text></revision></page>
<page><title>Пустая</title><ns>0</ns><id>11</id><revision><id>92</id><text/></revision></page>
)";

TEST_F(Files, FormatsAreKnownByNames) {
  write("a.txt", "<p>a</p>");
  write("b.HTML", "<title>B</title><p>b</p>");
  write("c.wiki", "'''c'''");
  write("d.xml", "<text>d</text>");
  write("e.xml", std::string("<?xml version='1.0'?><!-- x -->") + kDump + "</mediawiki>");
  const auto all = read();
  EXPECT_THAT(ids(all), ElementsAre("a.txt", "b.HTML", "c.wiki", "d.xml", "e.xml/Собака"));
  std::vector<std::string> texts, titles;
  for (const OwnedDocument& document : all) {
    texts.push_back(document.text);
    titles.push_back(document.title);
  }
  EXPECT_THAT(texts, ElementsAre("<p>a</p>", "b", "c", "<text>d</text>", "Соба́ка — зверь."));
  EXPECT_THAT(titles, ElementsAre("a", "B", "c", "d", "Собака"));
}

TEST_F(Files, OfADumpArticlesAreTakenInTheirLastRevisionAndTheRestIsCounted) {
  write("wiki.xml", std::string(kDump) + "</mediawiki>");
  const auto all = read();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].metadata, R"({"page":7,"revision":71,"time":"2021-01-02T03:04:05Z"})");
  EXPECT_EQ(report_.skips.redirects, 1U);
  EXPECT_EQ(report_.skips.other_namespaces, 1U);
  EXPECT_EQ(report_.skips.other_models, 1U);
  EXPECT_THAT(report_.refused, IsEmpty());
  const auto templates = read({.namespaces = {10}});
  EXPECT_THAT(ids(templates), ElementsAre("wiki.xml/Шаблон:А"));
  EXPECT_EQ(templates.at(0).metadata, R"({"page":9,"revision":90})");
}

TEST_F(Files, ADumpThatBreaksOffGivesThePagesBeforeAndIsRefused) {
  write("wiki.xml",
        std::string(kDump) + "<page><title>x</title><ns>0</ns><revision><text>" + std::string(9000, 'a'));
  write("after.txt", "text");
  EXPECT_THAT(ids(read()), ElementsAre("wiki.xml/Собака", "after.txt"));
  ASSERT_EQ(report_.refused.size(), 1U);
  EXPECT_EQ(report_.refused[0].code, Errc::corrupt);
  EXPECT_THAT(report_.refused[0].what, HasSubstr("wiki.xml line 1"));
  EXPECT_THAT(report_.refused[0].message(),
              HasSubstr("it breaks off, or more follows its end (download the dump again)"));
}

TEST_F(Files, EveryBeginningOfADumpIsReadOrRefused) {
  const std::string whole = std::string(kDump) + "</mediawiki>";
  for (std::size_t size = 11; size < whole.size(); size += 7) {
    files_.clear();
    write("wiki.xml", whole.substr(0, size));
    read({.format = Format::mediawiki});
    EXPECT_EQ(report_.refused.size(), 1U) << size;
  }
}

TEST_F(Files, DumpsWithEntitiesThatNothingDeclaresAreRefused) {
  write("wiki.xml", "<mediawiki><page><title>&a;</title><ns>0</ns></page></mediawiki>");
  EXPECT_THAT(read(), IsEmpty());
  EXPECT_EQ(report_.refused.size(), 1U);
}

TEST_F(Files, CompressedDumpsAreReadInAllTheirStreams) {
  const std::string dump = std::string(kDump) + "</mediawiki>";
  // Two streams, as in a multistream dump.
  const std::string packed = bzip2(dump.substr(0, 300)) + bzip2(dump.substr(300));
  write("w.xml.bz2", packed);
  EXPECT_THAT(ids(read()), ElementsAre("w.xml.bz2/Собака"));
  EXPECT_THAT(report_.refused, IsEmpty());
  files_.clear();
  write("cut.xml.bz2", packed.substr(0, packed.size() - 20));
  read();
  ASSERT_EQ(report_.refused.size(), 1U);
  EXPECT_THAT(report_.refused[0].message(), HasSubstr("truncated (copy or download it again)"));
}

TEST_F(Files, WhatIsNotThereIsRefusedAndTheOthersGoOn) {
  files_.push_back({folder_.path() / "none.html", "none.html", 5});
  files_.push_back({folder_.path() / "none.wiki", "none.wiki", 5});
  write("bad.html", "<p>\xC4");
  write("good.txt", "text");
  EXPECT_THAT(ids(read()), ElementsAre("good.txt"));
  EXPECT_EQ(report_.refused.size(), 3U);
}

struct Wanted {
  const char* name;
  std::uint64_t min_length, max_length;
  double min_letters;
  std::vector<std::string> left;  ///< that are stored
};

TEST_F(Files, TextsThatAreNotValidAreLeftOutWithTheirReason) {
  write("short", "Дом");
  write("numbers", "12 34 56 78 90 12");
  write("words", "Дом стоит у реки.");
  const std::vector<Wanted> rows = {
      {"nothing", 0, 0, 0.0, {"short", "numbers", "words"}},
      {"length at the limit", 17, 0, 0.0, {"numbers", "words"}},
      {"length over it", 18, 0, 0.0, {}},
      {"longest", 0, 3, 0.0, {"short"}},
      {"letters", 0, 0, 13.0 / 14, {"short", "words"}},  // 13 of 14 characters
      {"more letters", 0, 0, 0.93, {"short"}},
  };
  for (const Wanted& row : rows) {
    left_out_.clear();
    const Validity wanted{row.min_length, row.max_length, row.min_letters};
    EXPECT_EQ(ids(read({}, wanted)), row.left) << row.name;
    EXPECT_EQ(left_out_.size(), 3 - row.left.size()) << row.name;
    EXPECT_EQ(report_.all_invalid(), 3 - row.left.size()) << row.name;
  }
  left_out_.clear();
  read({}, {.min_length = 4, .min_letters = 0.5});
  EXPECT_THAT(left_out_,
              ElementsAre(HasSubstr("short: 3 characters, at least 4 are wanted"),
                          HasSubstr("numbers: 0.0 % of it are letters, at least 50.0 % are wanted")));
  EXPECT_THAT(report_.invalid, ElementsAre(0, 1, 0, 1, 0));
}

TEST_F(Files, TextsWithoutWordsAreLeftOutAndTheFirstAreNamed) {
  write("empty", "");
  write("text", "Дом.");
  write("dump.xml", std::string(kDump) + "</mediawiki>");
  for (int i = 0; i < 12; ++i) write("marks" + std::to_string(i), "… —\n");
  EXPECT_THAT(ids(read()), ElementsAre("text", "dump.xml/Собака"));
  EXPECT_THAT(report_.invalid, ElementsAre(14, 0, 0, 0, 0));
  EXPECT_EQ(report_.read, 16U);
  EXPECT_FALSE(report_.only_wordless());
  ASSERT_EQ(report_.wordless.size(), kMaxNamed);
  EXPECT_THAT(report_.wordless[0], HasSubstr("empty"));
  EXPECT_THAT(report_.wordless[1], HasSubstr("dump.xml page 'Пустая'"));
  EXPECT_THAT(left_out_[0], HasSubstr("empty: it has no words"));
  files_.resize(1);
  EXPECT_THAT(ids(read()), IsEmpty());
  EXPECT_TRUE(report_.only_wordless());
}

TEST_F(Files, WordsAreKnownIfTheDictionaryHasThem) {
  const auto dictionary = tiny_dictionary("дом стоять/стоит у");
  write("three of four", "Дом стоит у реки, 17.");
  write("none", "House by the river.");
  write("no words", "1 2 3");
  EXPECT_THAT(ids(read({}, {.min_known = 0.75, .dictionary = dictionary})), ElementsAre("three of four"));
  EXPECT_THAT(left_out_, ElementsAre(HasSubstr("0.0 % of its words are known, at least 75.0 % are wanted"),
                                     HasSubstr("no words")));
  EXPECT_THAT(ids(read({}, {.min_known = 0.76, .dictionary = dictionary})), IsEmpty());
}

TEST(Validity, LettersAreCountedAmongWhatIsNotWhiteSpace) {
  EXPECT_EQ(share_of_letters(""), 0.0);
  EXPECT_EQ(share_of_letters(" \n\t\u00A0"), 0.0);
  EXPECT_EQ(share_of_letters("а́ б"), 1.0);  // a mark belongs to its letter
  EXPECT_EQ(share_of_letters("a1 日-"), 0.5);
}

}  // namespace
}  // namespace akin::ingest
