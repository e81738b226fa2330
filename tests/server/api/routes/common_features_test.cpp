// Features that many documents have: listed by a collection, left out of searches and checks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Five documents that begin with the same ten sentences; `twin` also shares twelve of its own with the
/// query.
class CommonFeaturesApi : public ServiceTest {
 protected:
  CommonFeaturesApi() {
    make("books", "sentence-pairs");
    fill("books");
  }

  void make(const std::string& name, const std::string& scheme) const {
    expect(201, "PUT", "/v1/collections/" + name, kJson, Json{{"scheme", scheme}}.dump());
  }
  void fill(const std::string& name) const {
    for (int i = 1; i <= 4; ++i)
      store(name, "own-" + std::to_string(i), boilerplate_ + sentences(100 * i, 15));
    store(name, "twin", boilerplate_ + sentences(900, 12));
  }
  void store(const std::string& collection, const std::string& id, const std::string& text) const {
    expect(201, "PUT", "/v1/collections/" + collection + "/documents/" + id, kText, text);
  }
  Json search(const std::string& parameters, const std::string& body, std::string_view type = kText) const {
    return expect(200, "POST", "/v1/collections/books/similar" + parameters, type, body);
  }
  Json check(const std::string& text, Json policy) const {
    const Json request = {{"collections", {"books"}}, {"text", text}, {"policy", std::move(policy)}};
    return expect(201, "POST", "/v1/checks", kJson, request.dump());
  }
  static std::vector<std::string> ids(const Json& answer) {
    std::vector<std::string> found;
    for (const Json& result : answer["results"]) found.push_back(result["id"].get<std::string>());
    return found;
  }

  const std::string boilerplate_ = sentences(1, 10) + "\n\n";
  const std::string query_ = boilerplate_ + sentences(900, 12);
};

TEST_F(CommonFeaturesApi, ACollectionListsTheFeaturesOfMostDocuments) {
  const Json answer = expect(200, "GET", "/v1/collections/books?common=3");
  const Json& list = answer["most_common"];
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0]["documents"], 5);
  EXPECT_EQ(list[0]["example"]["id"], "own-1");
  const auto begin = list[0]["example"]["range"][0].get<std::size_t>();
  const auto text = list[0]["example"]["text"].get<std::string>();
  EXPECT_EQ(text, boilerplate_.substr(begin, text.size()));
  EXPECT_FALSE(list[0].contains("tier"));
  EXPECT_FALSE(expect(200, "GET", "/v1/collections/books").contains("most_common"));
}

TEST_F(CommonFeaturesApi, ACollectionWithTiersListsThemByTier) {
  make("tiers", "tiers(pairs=sentence-pairs,words=shingles(w=4))");
  fill("tiers");
  const Json answer = expect(200, "GET", "/v1/collections/tiers?common=2");
  std::vector<std::string> tiers;
  for (const Json& one : answer["most_common"]) {
    tiers.push_back(one["tier"].get<std::string>());
    EXPECT_EQ(one["documents"], 5);
  }
  EXPECT_THAT(tiers, ElementsAre("pairs", "pairs", "words", "words"));
}

TEST_F(CommonFeaturesApi, AnExampleHasNoTextWithoutTexts) {
  expect(201, "PUT", "/v1/collections/bare", kJson, R"({"scheme": "sentence-pairs", "store_text": false})");
  fill("bare");
  const Json answer = expect(200, "GET", "/v1/collections/bare?common=1");
  EXPECT_FALSE(answer["most_common"][0]["example"].contains("text"));
  EXPECT_TRUE(answer["most_common"][0]["example"].contains("range"));
}

TEST_F(CommonFeaturesApi, NumbersOutOfRangeAreRefused) {
  for (const char* const wrong : {"0", "101", "x"})
    expect(400, "GET", std::string("/v1/collections/books?common=") + wrong);
  for (const char* const wrong : {"0", "4294967296", "-1", ""})
    expect(400, "POST", std::string("/v1/collections/books/similar?common_limit=") + wrong, kText, query_);
  expect(400, "PUT", "/v1/policies/p", kJson, R"({"common_limit": 0})");
  expect(400, "POST", "/v1/collections/books/pairs", kJson, R"({"bound": 0, "common_limit": 0})");
}

TEST_F(CommonFeaturesApi, ASearchWithALimitFindsNothingByBoilerplateAlone) {
  EXPECT_EQ(search("", query_)["total"], 5);
  const Json answer = search("?common_limit=4", query_);
  EXPECT_THAT(ids(answer), ElementsAre("twin"));
  // Nine pairs of boilerplate; the tenth reaches into the document's own text.
  EXPECT_EQ(answer["common"], (Json{{"limit", 4}, {"features", 9}}));
  EXPECT_EQ(answer["query"]["features"], 13);
  const Json& twin = answer["results"][0];
  EXPECT_EQ(twin["x"], 13);
  EXPECT_EQ(twin["features"], 13);
  EXPECT_EQ(twin["containment"], 1.0);
  EXPECT_EQ(twin["contained"], 1.0);
  EXPECT_EQ(twin["resemblance"], 1.0);
}

TEST_F(CommonFeaturesApi, AnAnswerSaysWhatALimitLeftOutEvenIfThatIsNothing) {
  const Json answer = search("?common_limit=5", query_);
  EXPECT_EQ(answer["common"], (Json{{"limit", 5}, {"features", 0}}));
  EXPECT_EQ(answer["total"], 5);
  EXPECT_FALSE(search("", query_).contains("common"));
}

TEST_F(CommonFeaturesApi, AnAnswerSaysWhyAQueryOfCommonFeaturesFindsNothing) {
  const Json few = search("?common_limit=3", sentences(2, 5));
  EXPECT_THAT(few["hint"].get<std::string>(), HasSubstr("only 1 of the text's features"));
  store("books", "copy", query_);
  const Json none = search("?bound=0&common_limit=1", query_);
  EXPECT_EQ(none["total"], 0);
  EXPECT_THAT(none["hint"].get<std::string>(), HasSubstr("more than 1 documents have each feature"));
}

TEST_F(CommonFeaturesApi, AStoredQueryCountsLikeEveryDocument) {
  EXPECT_EQ(search("?common_limit=4", R"({"id": "twin"})", kJson)["common"]["features"], 9);
  expect(200, "DELETE", "/v1/collections/books/documents/own-1");
  EXPECT_EQ(search("?common_limit=4", R"({"id": "twin"})", kJson)["common"]["features"], 0);
}

TEST_F(CommonFeaturesApi, ALimitAppliesToEachTier) {
  make("tiers", "tiers(pairs=sentence-pairs,words=shingles(w=4))");
  fill("tiers");
  const Json answer =
      expect(200, "POST", "/v1/collections/tiers/similar?tiers=pairs,words:3&common_limit=4", kText, query_);
  EXPECT_THAT(ids(answer), ElementsAre("twin"));
  const Json& common = answer["common"];
  EXPECT_EQ(common["tiers"]["pairs"], 9);
  EXPECT_EQ(common["features"], common["tiers"]["pairs"].get<int>() + common["tiers"]["words"].get<int>());
  const Json& words = answer["results"][0]["tiers"][1];
  EXPECT_EQ(words["x"], words["features"]);
  EXPECT_EQ(words["x"], answer["tiers"][1]["features"]);
}

TEST_F(CommonFeaturesApi, OverSeveralCollectionsTheLimitAppliesToEach) {
  make("few", "sentence-pairs");
  store("few", "one", boilerplate_ + sentences(100, 15));
  const Json answer = expect(200, "POST", "/v1/similar?collections=books,few&common_limit=4", kText, query_);
  EXPECT_THAT(ids(answer), ElementsAre("twin", "one"));
  EXPECT_EQ(answer["common"]["collections"], (Json{{"books", 9}, {"few", 0}}));
  EXPECT_EQ(answer["results"][0]["features"], 13);
  EXPECT_EQ(answer["results"][1]["features"], 25);
}

TEST_F(CommonFeaturesApi, ASchemeOfCandidatesRefusesIt) {
  make("candidates", "supershingles");
  const Json refused =
      expect(409, "POST", "/v1/collections/candidates/similar?common_limit=4", kText, query_);
  EXPECT_THAT(refused["detail"].get<std::string>(), HasSubstr("supershingles"));
  expect(409, "GET", "/v1/collections/candidates?common=1");
}

TEST_F(CommonFeaturesApi, ACheckLeavesOutWhatItsPolicySays) {
  const std::string text = boilerplate_ + sentences(5000, 10);
  EXPECT_EQ(check(text, Json::object())["sources_total"], 5);
  const Json checked = check(text, {{"common_limit", 4}});
  EXPECT_EQ(checked["sources_total"], 0);
  EXPECT_EQ(checked["share"], 0.0);
  EXPECT_EQ(checked["index"][0]["common"], 9);
  EXPECT_EQ(checked["policy"]["common_limit"], 4);
  EXPECT_FALSE(check(text, Json::object())["index"][0].contains("common"));
}

TEST_F(CommonFeaturesApi, ACheckThatLeavesFeaturesOutMeasuresTheOthers) {
  const Json checked = check(query_, {{"common_limit", 4}});
  ASSERT_EQ(checked["sources_total"], 1);
  const Json& source = checked["sources"][0];
  EXPECT_EQ(source["id"], "twin");
  EXPECT_EQ(source["x"], 13);
  EXPECT_EQ(source["features"], 13);
  const Json whole = check(query_, Json::object());
  EXPECT_LT(checked["share"].get<double>(), whole["share"].get<double>());
  EXPECT_GT(checked["share"].get<double>(), 0.5);
}

}  // namespace
}  // namespace akin::test
