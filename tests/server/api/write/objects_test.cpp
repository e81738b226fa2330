#include "server/api/write/objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/api/service_fixture.h"

namespace akin::api {
namespace {

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

using Names = std::vector<std::string>;

FeatureSequence features_of(std::string_view text) {
  return extract_features(text, *test::empty_dictionary(), *make_scheme(kComparisonScheme).value()).value();
}

TEST(Objects, ErrorTellsTheWholeMessageAndItsParts) {
  const Json object = error_object({Errc::not_found, "x", "is not there", "look elsewhere"});
  EXPECT_EQ(object.dump(), R"x({"code":"not_found","detail":"x: is not there (look elsewhere)","what":"x",)x"
                           R"x("reason":"is not there","remedy":"look elsewhere"})x");
}

TEST(Objects, DocumentHasItsKeys) {
  EXPECT_EQ(keys(document_object({})), (Names{"id", "title", "metadata", "text_bytes", "code_points",
                                              "sentences", "features", "stored"}));
}

TEST(Objects, DocumentHasTheDigestsThatAreKnown) {
  DocumentRecord record;
  record.text_sha256 = sha256("abc");
  EXPECT_EQ(document_object(record)["text_sha256"],
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_FALSE(document_object(record).contains("file_sha256"));
  record.file = FileOrigin{.sha256 = sha256("abc"), .reading = 7};
  EXPECT_EQ(document_object(record)["file_sha256"], document_object(record)["text_sha256"]);
}

TEST(Objects, DocumentShowsMetadataAsTheObjectStored) {
  EXPECT_EQ(
      document_object({.id = "a", .title = "", .metadata = R"({"z":1,"a":[2]})", .revision = {}})["metadata"]
          .dump(),
      R"({"z":1,"a":[2]})");
}

TEST(Objects, DocumentWithoutMetadataShowsAnEmptyObject) {
  EXPECT_EQ(document_object({})["metadata"], Json::object());
}

TEST(Objects, SimilarHasItsKeys) {
  const FeatureSequence query = features_of("One two. Three four.");
  SearchResult result;
  result.total = 1;
  result.hits.resize(1);
  result.hits[0].passages.resize(1);
  SearchRequest request;
  request.query = &query;
  request.evidence = true;
  const auto scheme = *make_scheme(kComparisonScheme);
  const Json object = search_head(request, result, *scheme, {});
  EXPECT_EQ(keys(object), (Names{"query", "bound", "min_containment", "limit", "total"}));
  EXPECT_EQ(keys(object["query"]), (Names{"sentences", "features", "code_points", "alerts"}));
  const Json hit = hit_object(result.hits[0], true);
  EXPECT_EQ(keys(hit), (Names{"id", "title", "x", "features", "containment", "contained", "resemblance",
                              "sorensen", "passages"}));
  EXPECT_EQ(keys(hit["passages"][0]), (Names{"a", "b", "features"}));
}

TEST(Objects, HitWithoutEvidenceHasNoPassages) { EXPECT_FALSE(hit_object({}, false).contains("passages")); }

TEST(Objects, SimilarTellsWhoNominatedAndWhoJudged) {
  const FeatureSequence query = features_of("One two. Three four.");
  SearchRequest request;
  request.query = &query;
  const auto scheme = *make_scheme("supershingles(of=sentences)");
  SearchResult result;
  result.candidates = 7;
  const Json object = search_head(request, result, *scheme, {});
  EXPECT_EQ(object["nomination"], (Json{{"by", "supershingles(groups=14,size=6,minima=bins,of=sentences)"},
                                        {"judged_by", "sentences"},
                                        {"nominees", 7}}));
}

TEST(Objects, WithoutContainmentItIsNull) {
  Json object;
  add_measures(object, {.x = 80, .a_features = 160, .b_features = 160, .has_containment = false});
  EXPECT_TRUE(object["containment"].is_null());
  EXPECT_TRUE(object["contained"].is_null());
  EXPECT_EQ(object["resemblance"], 80.0 / 240.0);
  const Json pair =
      pair_object({"a", "b", {.x = 8, .a_features = 9, .b_features = 9, .has_containment = false}});
  EXPECT_TRUE(pair["containment"].is_null());
}

TEST(Objects, CompareOfATextWithItselfGivesOne) {
  const FeatureSequence text = features_of("One two. Three four. Five six.");
  const Json object = compare_object(text, text, **make_scheme(kComparisonScheme));
  EXPECT_EQ(keys(object),
            (Names{"x", "a", "b", "containment", "contained", "resemblance", "sorensen", "passages"}));
  EXPECT_EQ(object["x"], 3);
  for (const char* measure : {"containment", "contained", "resemblance", "sorensen"})
    EXPECT_EQ(object[measure], 1.0);
}

TEST(Objects, FeaturesShowSentencesWordsAndHashesOf16Digits) {
  const auto object =
      features_object("Ab cd. Ef.", *test::empty_dictionary(), *make_scheme("sentences").value());
  ASSERT_TRUE(object.has_value());
  EXPECT_EQ(keys(*object), (Names{"scheme", "sentences", "features", "alerts"}));
  ASSERT_EQ((*object)["sentences"].size(), 2U);
  const Json& first = (*object)["sentences"][0];
  EXPECT_EQ(keys(first), (Names{"range", "words"}));
  EXPECT_EQ(first["range"], Json::array({0, 6}));
  EXPECT_EQ(keys(first["words"][0]), (Names{"text", "class", "hash"}));
  EXPECT_EQ(first["words"][0]["text"], "Ab");
  EXPECT_EQ(first["words"][0]["class"], "ab");
  EXPECT_THAT(first["words"][0]["hash"].get<std::string>(), ::testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(keys((*object)["features"][0]), (Names{"hash", "range"}));
}

TEST(Objects, FeaturesAreThoseThatTheIndexStores) {
  const std::string text = test::sentences(1, 5);
  const auto scheme = make_scheme(kComparisonScheme).value();
  const auto object = features_object(text, *test::empty_dictionary(), *scheme);
  ASSERT_TRUE(object.has_value());
  const FeatureSequence sequence = features_of(text);
  ASSERT_EQ((*object)["features"].size(), sequence.hashes.size());
  for (std::size_t at = 0; at < sequence.hashes.size(); ++at) {
    const auto hash = std::stoull((*object)["features"][at]["hash"].get<std::string>(), nullptr, 16);
    EXPECT_EQ(hash, static_cast<std::uint64_t>(sequence.hashes[at]));
  }
}

// A reader of `features` can add up the words to the last feature, SH(A_n) + 0, in every scheme.
TEST(Objects, WordHashesSumUpToTheLastFeature) {
  for (const std::string_view spec :
       {"sentence-pairs", "sentences", "paper-2009(ids=plain)", "paper-2009(ids=squared)"}) {
    const auto scheme = make_scheme(spec).value();
    const auto object = features_object("Ab cd. Ef gh ij.", *test::empty_dictionary(), *scheme);
    ASSERT_TRUE(object.has_value());
    const auto number = [](const Json& hex) { return std::stoull(hex.get<std::string>(), nullptr, 16); };
    std::uint64_t sum = 0;
    for (const Json& word : (*object)["sentences"].back()["words"]) sum += number(word["hash"]);
    if (spec.starts_with("paper")) sum &= 0xffffffffU;
    EXPECT_EQ(sum, number((*object)["features"].back()["hash"])) << spec;
  }
}

TEST(Objects, AlertsNameTheirKindAndRange) {
  const Json array = alerts_array({{AlertKind::zero_width, {1, 2}}, {AlertKind::mixed_script, {3, 9}}});
  EXPECT_EQ(array.dump(), R"([{"kind":"zero_width","range":[1,2]},{"kind":"mixed_script","range":[3,9]}])");
}

TEST(Objects, CollectionHasItsKeys) {
  EXPECT_EQ(keys(collection_object("a", {}, {}, {}, {})),
            (Names{"name", "scheme", "store_text", "store_file", "languages", "fingerprint", "documents",
                   "features", "postings", "recent_postings", "runs", "text_bytes", "text_stored_bytes",
                   "disk_bytes", "expires", "dictionaries"}));
}

TEST(Objects, DictionaryAndWordHaveTheirKeys) {
  const auto dictionary = test::empty_dictionary();
  EXPECT_EQ(keys(dictionary_object(*dictionary)),
            (Names{"fingerprint", "lemmas", "forms", "classes", "largest_class", "largest_class_forms",
                   "table_bytes", "cache_file", "sources"}));
  const Json word = word_object(*dictionary, "Ёлка");
  EXPECT_EQ(keys(word), (Names{"word", "folded", "known", "lemmas", "class", "hash"}));
  EXPECT_EQ(word["folded"], "елка");
  EXPECT_EQ(word["known"], false);
}

}  // namespace
}  // namespace akin::api
