#include "cli/dedup/corpus.h"

#include <gtest/gtest.h>

#include "cli/dedup/corpus_line.h"

namespace akin::dedup {
namespace {

CorpusDocument read(std::string_view line, const LineFields& fields = {}) {
  auto document = read_corpus_line(line, fields);
  EXPECT_TRUE(document.has_value()) << line;
  return document.has_value() ? *document : CorpusDocument();
}

std::optional<double> preference(std::string_view line, const std::string& keep) {
  LineFields fields;
  set_keep(fields, keep);
  return read(line, fields).preference;
}

TEST(CorpusLine, TheIdIsThatOfTheLineOrItsUrl) {
  EXPECT_EQ(read(R"({"url":"u","text":"t","id":"a"})").id, "a");
  EXPECT_EQ(read(R"({"url":"u","text":"t"})").id, "u");
  EXPECT_EQ(read(R"({"id":17,"text":"t"})").id, "17");
  EXPECT_EQ(read(R"({"id":null,"text":"t"})").id, "");
  EXPECT_EQ(read(R"({"id":"a","doi":"d","text":"t"})", {.id = "doi"}).id, "d");
}

TEST(CorpusLine, TheTextMayHaveAnotherField) {
  EXPECT_EQ(read(R"({"text":1,"body":"t\n"})", {.text = "body"}).text, "t\n");
}

TEST(CorpusLine, WhatIsNoDocumentIsRefused) {
  for (const std::string_view line :
       {"", "{", "[]", "{}", R"({"text":1})", R"({"text":null})", R"({"text":"a"} x)", "{\"text\":\"\xff\"}"})
    EXPECT_TRUE(read_corpus_line(line, {}).has_error()) << line;
  EXPECT_TRUE(read_corpus_line(R"({"text":"a","share":1})", {.refused = {"cluster", "share"}}).has_error());
}

TEST(CorpusLine, APreferenceIsANumberOrATime) {
  EXPECT_EQ(preference(R"({"text":"abc"})", "first"), 0.0);
  EXPECT_EQ(preference(R"({"text":"abc"})", "longest"), 3.0);
  EXPECT_EQ(preference(R"({"text":"abc","score":2.5})", "score"), 2.5);
  EXPECT_EQ(preference(R"({"text":"abc","metadata":{"score":2}})", "score"), 2.0);
  EXPECT_EQ(preference(R"({"text":"abc","score":"much"})", "score"), std::nullopt);
  EXPECT_EQ(preference(R"({"text":"abc"})", "score"), std::nullopt);
  EXPECT_LT(preference(R"({"text":"a","crawled":"2024-01-01"})", "crawled"),
            preference(R"({"text":"a","crawled":"2024-01-01T10:00:00Z"})", "crawled"));
  EXPECT_GT(preference(R"({"text":"a","date":"2023-05-01"})", "oldest"),
            preference(R"({"text":"a","timestamp":"2024-05-01"})", "oldest"));
}

TEST(CorpusLine, FieldsAreAddedAtTheEndAndNothingElseChanges) {
  EXPECT_EQ(with_fields("{ \"text\" : \"}\" , \"n\":1.0 } ", "\"a\":1"),
            "{ \"text\" : \"}\" , \"n\":1.0 ,\"a\":1} ");
}

TEST(CountWords, WordsAreRunsBetweenWhiteSpace) {
  EXPECT_EQ(count_words(""), 0U);
  EXPECT_EQ(count_words(" \n\t"), 0U);
  EXPECT_EQ(count_words("один, two\n\n — three "), 4U);
}

TEST(CorpusTest, EqualTextsAreOneText) {
  Corpus corpus;
  EXPECT_TRUE(corpus.add({.id = "a", .text = "one"}));
  EXPECT_TRUE(corpus.add({.id = "a", .text = "two"}));
  EXPECT_FALSE(corpus.add({.id = "c", .text = "one"}));
  EXPECT_EQ(corpus.size(), 3U);
  EXPECT_EQ(corpus.texts(), 2U);
  EXPECT_EQ(corpus.text_of(2), 0U);
  EXPECT_EQ(corpus.best_of(0), 0U);
  EXPECT_EQ(corpus.id(1), "a");
  EXPECT_EQ(corpus.id(2), "c");
}

TEST(CorpusTest, OfEqualTextsThePreferredDocumentIsTheBest) {
  Corpus corpus;
  corpus.add({.id = "a", .text = "one", .preference = std::nullopt});
  corpus.add({.id = "b", .text = "one", .preference = 1.0});
  corpus.add({.id = "c", .text = "one", .preference = 1.0});
  EXPECT_EQ(corpus.best_of(0), 1U);
  EXPECT_EQ(corpus.without_preference(), 1U);
}

TEST(CorpusTest, KnownDocumentsArePreferred) {
  Corpus corpus;
  corpus.add({.id = "a", .text = "one", .preference = 1.0});
  corpus.all_are_known();
  corpus.add({.id = "b", .text = "one", .preference = 2.0});
  corpus.add({.id = "c", .text = "two", .preference = 2.0});
  EXPECT_EQ(corpus.best_of(0), 0U);
  EXPECT_TRUE(corpus.is_known(0));
  EXPECT_TRUE(corpus.prefers(0, 1));
}

}  // namespace
}  // namespace akin::dedup
