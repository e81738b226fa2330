// What a search reports, for one collection or several, once or many times.
#include <gmock/gmock.h>

#include <array>

#include "tests/server/api/read/memory_streams.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SearchApi : public ServiceTest {
 protected:
  SearchApi() {
    for (const char* name : {"a", "b"}) expect(201, "PUT", std::string("/v1/collections/") + name);
    put("a", "ten", sentences(1, 10));
    put("a", "five", sentences(1, 5));
    put("b", "twenty", sentences(1, 20));
    put("b", "five", sentences(1, 5));
  }
  void put(const std::string& collection, const std::string& id, const std::string& text) const {
    expect(201, "PUT", "/v1/collections/" + collection + "/documents/" + id, kText, text);
  }
  static std::vector<std::string> places(const api::Json& answer) {
    std::vector<std::string> found;
    for (const auto& result : answer["results"]) {
      found.push_back(result["collection"].get<std::string>() + "/" + result["id"].get<std::string>());
    }
    return found;
  }
};

TEST_F(SearchApi, OverSeveralCollectionsMergesByTheUsualOrder) {
  const auto answer = expect(200, "POST", "/v1/similar?collections=a,b", kText, sentences(1, 10));
  EXPECT_THAT(places(answer), ElementsAre("a/ten", "b/twenty", "a/five", "b/five"));
  EXPECT_EQ(answer["total"], 4);
  EXPECT_EQ(answer["collections"], (api::Json{{"a", 2}, {"b", 2}}));
}

TEST_F(SearchApi, OverSeveralCollectionsTellsTheMeasuresOfEachAlone) {
  const auto both = expect(200, "POST", "/v1/similar?collections=b,a", kText, sentences(1, 10));
  const auto alone = expect(200, "POST", "/v1/collections/b/similar", kText, sentences(1, 10));
  api::Json twenty = both["results"][1];
  twenty.erase("collection");
  EXPECT_EQ(twenty, alone["results"][0]);
}

TEST_F(SearchApi, OverSeveralCollectionsPagesAreThoseOfTheWhole) {
  const auto page =
      expect(200, "POST", "/v1/similar?collections=a,b&cursor=after:1&limit=2", kText, sentences(1, 10));
  EXPECT_THAT(places(page), ElementsAre("b/twenty", "a/five"));
  EXPECT_EQ(page["total"], 4);
  EXPECT_EQ(page["next"], "after:3");
}

TEST_F(SearchApi, OverSeveralCollectionsADocumentIsLeftOutWhereItIs) {
  const auto answer =
      expect(200, "POST", "/v1/similar?collections=a,b", kJson, R"({"collection":"a","id":"five"})");
  EXPECT_THAT(places(answer), ElementsAre("b/five", "a/ten", "b/twenty"));
}

TEST_F(SearchApi, OverSeveralCollectionsNeedsOneScheme) {
  expect(201, "PUT", "/v1/collections/c", kJson, R"({"scheme":"sentences"})");
  EXPECT_EQ(expect(409, "POST", "/v1/similar?collections=a,c", kText, "x")["code"], "mismatch");
}

struct Wrong {
  const char* target;
  const char* body;
  int status;
  const char* words;
};

class WrongSearches : public SearchApi, public ::testing::WithParamInterface<Wrong> {};

TEST_P(WrongSearches, AreRefused) {
  const auto error = expect(GetParam().status, "POST", GetParam().target, kJson, GetParam().body);
  EXPECT_THAT(error["detail"].get<std::string>(), HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    SearchApi, WrongSearches,
    ::testing::Values(Wrong{"/v1/similar", R"({"text":"x"})", 400, "'collections'"},
                      Wrong{"/v1/similar?collections=a,a", R"({"text":"x"})", 400, "twice"},
                      Wrong{"/v1/similar?collections=a,", R"({"text":"x"})", 400, "not a collection's name"},
                      Wrong{"/v1/similar?collections=nobody", R"({"text":"x"})", 404, "nobody"},
                      Wrong{"/v1/similar?collections=a", R"({"id":"ten"})", 400, "'collection'"},
                      Wrong{"/v1/similar?collections=a", R"({"collection":"b","id":"five"})", 400,
                            "not one of the searched collections"},
                      Wrong{"/v1/similar?collections=a", R"({"collection":"a","text":"x"})", 400,
                            "given together with 'text'"},
                      Wrong{"/v1/collections/a/similar?include=all", R"({"text":"x"})", 400,
                            "'all' is not some of 'ids', 'measures'"},
                      Wrong{"/v1/collections/a/similar?include=", R"({"text":"x"})", 400, "'include'"},
                      Wrong{"/v1/collections/a/similar?include=features,aligned", R"({"text":"x"})", 400,
                            "names both 'features' and 'aligned'"},
                      Wrong{"/v1/collections/a/similar?verbosity=ids", R"({"text":"x"})", 400, "'include'"}));

TEST_F(SearchApi, TellsIdsAlone) {
  const auto answer = expect(200, "POST", "/v1/collections/a/similar?include=ids", kText, sentences(1, 10));
  EXPECT_EQ(answer["results"].dump(),
            R"([{"id":"ten","x":10,"tier":"pairs"},{"id":"five","x":4,"tier":"pairs"}])");
}

TEST_F(SearchApi, IncludesWhatEachWordNames) {
  const auto keys = [this](const std::string& include) {
    const auto found = expect(200, "POST", "/v1/collections/a/similar?include=" + include, kText,
                              sentences(1, 10))["results"][0];
    return std::array{found.contains("title"), found.contains("passages"), found.contains("stored"),
                      found.contains("passages") && found["passages"][0].contains("a_text")};
  };
  EXPECT_EQ(keys("measures"), (std::array{true, false, false, false}));
  EXPECT_EQ(keys("ids,passages"), (std::array{true, true, false, false}));
  EXPECT_EQ(keys("features,passage_text"), (std::array{true, true, false, true}));
  EXPECT_EQ(keys("passage_text"), (std::array{true, true, false, true}));
  EXPECT_EQ(keys("record"), (std::array{true, false, true, false}));
}

TEST_F(SearchApi, TellsTheWholeRecord) {
  const auto answer =
      expect(200, "POST", "/v1/collections/a/similar?include=record,passages", kText, sentences(1, 10));
  const auto record = expect(200, "GET", "/v1/collections/a/documents/ten?include=record");
  for (const auto& [name, value] : record.items()) EXPECT_EQ(answer["results"][0][name], value) << name;
}

TEST_F(SearchApi, TellsThePassagesTextOnBothSides) {
  const std::string query = "Что? " + sentences(1, 4) + "End.";
  const auto answer =
      expect(200, "POST", "/v1/collections/a/similar?bound=1&include=passage_text", kText, query);
  const auto& passage = answer["results"][0]["passages"][0];
  EXPECT_EQ(passage["a_text"], passage["b_text"]);
  EXPECT_EQ(passage["a_text"].get<std::string>() + " ", sentences(1, 4));
}

TEST_F(SearchApi, HasNoPassageTextsWhereNoTextsAreKept) {
  expect(201, "PUT", "/v1/collections/c", kJson, R"({"store_text":false})");
  EXPECT_EQ(expect(409, "POST", "/v1/collections/c/similar?include=passage_text", kText, "x")["code"],
            "unsupported");
}

class TierSearchApi : public ServiceTest {
 protected:
  TierSearchApi() {
    const api::Json scheme = {{"scheme", "tiers(pairs=sentence-pairs,words=shingles(w=2))"}};
    for (const char* name : {"a", "b"}) {
      expect(201, "PUT", std::string("/v1/collections/") + name, kJson, scheme.dump());
    }
    put("a", "same", sentences(1, 10));
    put("b", "begins", sentences(1, 6));
    put("a", "turned", turned(sentences(1, 10)));
  }
  void put(const std::string& collection, const std::string& id, const std::string& text) const {
    expect(201, "PUT", "/v1/collections/" + collection + "/documents/" + id, kText, text);
  }
  /// With a word of its own in each sentence: pairs of sentences are lost, most pairs of words are not.
  static std::string turned(std::string text) {
    for (std::size_t at = 0; (at = text.find('.', at)) != std::string::npos; at += 8)
      text.insert(at, " indeed");
    return text;
  }
};

TEST_F(TierSearchApi, TellsOfEachResultWhichTiersFoundIt) {
  const auto answer =
      expect(200, "POST", "/v1/collections/a/similar?tiers=pairs,words:2", kText, sentences(1, 10));
  ASSERT_EQ(answer["results"].size(), 2U);
  EXPECT_EQ(answer["results"][0]["tier"], "pairs");
  EXPECT_EQ(answer["results"][1]["id"], "turned");
  EXPECT_EQ(answer["results"][1]["tier"], "words");
  EXPECT_EQ(answer["results"][1]["tiers"][0]["found"], false);
  EXPECT_EQ(answer["results"][1]["tiers"][1]["x"], answer["results"][1]["x"]);
  EXPECT_EQ(answer["tiers"][0]["total"], 1);
  EXPECT_EQ(answer["tiers"][1]["bound"], 2);
  EXPECT_EQ(answer["total"], 2);
}

TEST_F(TierSearchApi, OverSeveralCollectionsAStricterTierComesFirst) {
  const auto answer =
      expect(200, "POST", "/v1/similar?collections=a,b&tiers=pairs,words:2", kText, sentences(1, 10));
  std::vector<std::string> found;
  for (const auto& result : answer["results"]) {
    found.push_back(result["collection"].get<std::string>() + "/" + result["id"].get<std::string>() + " by " +
                    result["tier"].get<std::string>());
  }
  EXPECT_THAT(found, ElementsAre("a/same by pairs", "b/begins by pairs", "a/turned by words"));
  EXPECT_EQ(answer["tiers"][0]["total"], 2);
  EXPECT_EQ(answer["results"][2]["passages"].empty(), false);
}

TEST_F(TierSearchApi, ATierThatIsNotThereIsRefused) {
  for (const char* const wrong : {"none", "pairs,pairs", "pairs:4294967296", "", "pairs,"}) {
    const auto answer =
        expect(400, "POST", std::string("/v1/collections/a/similar?tiers=") + wrong, kText, "x");
    EXPECT_EQ(answer["code"], "invalid_argument");
  }
}

TEST_F(TierSearchApi, AResultWithIdsAloneHasItsTier) {
  const auto answer =
      expect(200, "POST", "/v1/collections/a/similar?tiers=all&include=ids&limit=1", kText, sentences(1, 10));
  EXPECT_EQ(answer["results"][0], (api::Json{{"id", "same"}, {"x", 10}, {"tier", "pairs"}}));
}

}  // namespace
}  // namespace akin::test
