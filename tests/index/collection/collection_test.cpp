#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/codec/sequence_codec.h"
#include "index/lmdb/tables/tables.h"
#include "index/store/records.h"
#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class Collections : public CatalogTest {
 protected:
  std::shared_ptr<Collection> books_ = must(catalog_->create("books", ""));
};

TEST_F(Collections, FindATextThatWasPut) {
  put(*books_, "a", text_of("cats", 10));
  put(*books_, "b", text_of("dogs", 10));
  EXPECT_THAT(found(*books_, text_of("cats", 6), 3), ElementsAre("a"));
}

TEST_F(Collections, KeepTitleMetadataAndFigures) {
  put(*books_, "a", text_of("cats", 10));
  const DocumentRecord record = *must(must(books_->snapshot())->find("a"));
  EXPECT_EQ(record.title, "title of a");
  EXPECT_EQ(record.metadata, R"({"k":1})");
  EXPECT_EQ(record.text_bytes, text_of("cats", 10).size());
  EXPECT_EQ(record.sentences, 10U);
  EXPECT_EQ(record.features, 10U);
}

TEST_F(Collections, PutAllIsAllOrNothing) {
  const std::string good = text_of("cats", 5);
  const Error error = books_->put_all({{"a", "", "", good}, {"b", "", "", "bad \xff"}}).error();
  EXPECT_EQ(error.code, Errc::invalid_utf8);
  EXPECT_THAT(error.what, HasSubstr("document 'b'"));
  EXPECT_THAT(ids(*books_), IsEmpty());
  const auto results = must(books_->put_all({{"a", "", "", good}, {"b", "", "", good}, {"a", "", "", good}}));
  EXPECT_THAT(results, ElementsAre(Field(&PutResult::replaced, false), Field(&PutResult::replaced, false),
                                   Field(&PutResult::replaced, true)));
  EXPECT_THAT(ids(*books_), ElementsAre("a", "b"));
}

TEST_F(Collections, TellOnceThatAWriteIsPrepared) {
  const std::string text = text_of("cats", 5);
  const std::vector<SourceChange> changes{{.document = {.id = "a", .text = text}},
                                          {.document = {.id = "none"}, .remove = true}};
  int ready = 0;
  must(books_->write(changes, WriteMode::each, [&] {
    EXPECT_THAT(ids(*books_), IsEmpty());
    ++ready;
  }));
  EXPECT_EQ(ready, 1);
  EXPECT_THAT(ids(*books_), ElementsAre("a"));
}

struct BadSource {
  const char* name;
  std::string id, title, metadata, text;
  Errc code;
};

class BadSources : public Collections, public testing::WithParamInterface<BadSource> {};

TEST_P(BadSources, AreRefusedAndLeaveNothing) {
  const BadSource& bad = GetParam();
  EXPECT_EQ(books_->put({bad.id, bad.title, bad.metadata, bad.text}).error().code, bad.code);
  EXPECT_EQ(books_->put_all({{bad.id, bad.title, bad.metadata, bad.text}}).error().code, bad.code);
  EXPECT_THAT(ids(*books_), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Sources, BadSources,
    testing::Values(
        BadSource{"empty_id", "", "", "", "x", Errc::invalid_argument},
        BadSource{"long_id", std::string(501, 'i'), "", "", "x", Errc::invalid_argument},
        BadSource{"newline_in_id", "a\nb", "", "", "x", Errc::invalid_argument},
        BadSource{"nul_in_id", std::string("a\0b", 3), "", "", "x", Errc::invalid_argument},
        BadSource{"delete_in_id", "a\x7f", "", "", "x", Errc::invalid_argument},
        BadSource{"c1_control_in_id", "a\xc2\x85", "", "", "x", Errc::invalid_argument},
        BadSource{"id_not_utf8", "a\xff", "", "", "x", Errc::invalid_utf8},
        BadSource{"title_not_utf8", "a", "\xc3", "", "x", Errc::invalid_utf8},
        BadSource{"long_title", "a", std::string(kMaxTitleBytes + 1, 't'), "", "x", Errc::too_large},
        BadSource{"long_metadata", "a", "", std::string(kMaxMetadataBytes + 1, 'm'), "x", Errc::too_large},
        BadSource{"text_not_utf8", "a", "", "", "ok \xed\xa0\x80", Errc::invalid_utf8}),
    [](const testing::TestParamInfo<BadSource>& row) { return row.param.name; });

TEST_F(Collections, LongestIdTitleAndMetadataAreTaken) {
  const std::string id(kMaxIdBytes, 'i');
  const std::string title(kMaxTitleBytes, 't');
  const std::string metadata(kMaxMetadataBytes, 'm');
  EXPECT_FALSE(must(books_->put({id, title, metadata, text_of("cats", 2)})).replaced);
  EXPECT_THAT(ids(*books_), ElementsAre(id));
}

TEST_F(Collections, TextsOfNoOneAndTwoSentencesHaveExactSums) {
  put(*books_, "none", " \n ");
  put(*books_, "one", text_of("cats", 1));
  put(*books_, "two", text_of("cats", 2));
  EXPECT_THAT(found(*books_, text_of("cats", 2)), ElementsAre("two"));
  EXPECT_THAT(found(*books_, text_of("cats", 1)), ElementsAre("one"));
  EXPECT_THAT(found(*books_, ""), IsEmpty());
  EXPECT_THAT(verify(*books_), IsEmpty());
}

TEST_F(Collections, MillionEqualSentencesHaveExactSums) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "All work and no play. ";
  put(*books_, "shining", text);
  const FeatureSequence query = must(books_->analyze(text));
  SearchRequest request;
  request.query = &query;
  request.evidence = true;
  const SearchResult result = must(must(books_->snapshot())->search(request));
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].overlap.x, 1'000'000U);
  ASSERT_EQ(result.hits[0].passages.size(), 1U);
  EXPECT_EQ(result.hits[0].passages[0].features, 1'000'000U);
}

TEST_F(Collections, DeepVerificationNamesADocumentWhoseFeaturesAreNotThoseOfItsText) {
  books_ = must(catalog_->create("pairs", "sentence-pairs"));
  put(*books_, "a", text_of("cats", 4));
  put(*books_, "b", text_of("dogs", 4));
  const FeatureSequence wrong = must(books_->analyze(text_of("cows", 4)));
  const std::string text = text_of("dogs", 4);
  const std::vector<SourceChange> changes = {{.document = {"b", "", "", text}, .features = &wrong}};
  must(books_->write(changes, WriteMode::all));
  EXPECT_THAT(verify(*books_), ElementsAre("document 'b': its text has other features than those stored"));
}

TEST_F(Collections, DeepVerificationNamesADocumentWhoseFeaturesStandElsewhere) {
  books_ = must(catalog_->create("pairs", "sentence-pairs"));
  FeatureSequence moved = must(books_->analyze(text_of("dogs", 4)));
  ++moved.ranges.back().begin;
  const std::string text = text_of("dogs", 4);
  const std::vector<SourceChange> changes = {{.document = {"b", "", "", text}, .features = &moved}};
  must(books_->write(changes, WriteMode::all));
  EXPECT_THAT(verify(*books_), ElementsAre("document 'b': its text has other features than those stored"));
}

}  // namespace
}  // namespace akin::test
