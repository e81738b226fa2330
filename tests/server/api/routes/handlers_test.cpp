// What each endpoint does when it is used as it should be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/time.h"
#include "server/run/expiry.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;

std::vector<std::string> ids(const api::Json& list) {
  std::vector<std::string> found;
  for (const auto& entry : list) found.push_back(entry["id"].get<std::string>());
  return found;
}

class Handlers : public ServiceTest {
 protected:
  void SetUp() override { expect(201, "PUT", "/v1/collections/books"); }
  void put(const std::string& id, const std::string& text) const {
    call("PUT", "/v1/collections/books/documents/" + id, kText, text);
  }
};

TEST_F(Handlers, HealthAnswers) {
  EXPECT_EQ(expect(200, "GET", "/livez").dump(), R"({"status":"alive"})");
  const api::Json ready = expect(200, "GET", "/readyz");
  EXPECT_EQ(ready["status"], "ready");
  EXPECT_EQ(ready["collections"], 1);
  EXPECT_EQ(expect(200, "GET", "/version")["name"], "akin");
}

TEST_F(Handlers, RequestIsAnsweredByTheEndpointThatItCarries) {
  api::Request request{.method = "GET", .target = "/version", .content_type = "", .body = ""};
  request.endpoint = api::endpoint_of(request);
  EXPECT_EQ(request.endpoint->pattern, "/version");
  request.target = "/none";
  EXPECT_EQ(api::endpoint_of(request).pattern, "/version");
  EXPECT_EQ(api::handle(service_, request).status, 200);
}

TEST_F(Handlers, AnswersEndWithANewline) { EXPECT_THAT(call("GET", "/livez").body, EndsWith("}\n")); }

TEST_F(Handlers, CollectionMadeTwiceIsThereTheSecondTime) {
  expect(200, "PUT", "/v1/collections/books");
  const api::Json same = {{"scheme", kDefaultScheme}};
  expect(200, "PUT", "/v1/collections/books", kJson, same.dump());
}

TEST_F(Handlers, CollectionTakesItsSchemeFromTheBody) {
  EXPECT_EQ(expect(201, "PUT", "/v1/collections/x", kJson, R"({"scheme":"sentences"})")["scheme"],
            "sentences");
  EXPECT_EQ(expect(200, "GET", "/v1/collections/x")["scheme"], "sentences");
}

TEST_F(Handlers, CollectionsAreListedByName) {
  expect(201, "PUT", "/v1/collections/atlas");
  const auto answer = expect(200, "GET", "/v1/collections");
  EXPECT_EQ(answer["total"], 2);
  EXPECT_EQ(answer["collections"][0]["name"], "atlas");
  EXPECT_EQ(answer["collections"][1]["name"], "books");
}

TEST_F(Handlers, CollectionsAreListedInPages) {
  for (const char* const name : {"atlas", "books-2", "zoo"})
    expect(201, "PUT", std::string("/v1/collections/") + name);
  const auto names = [](const api::Json& answer) {
    std::string all;
    for (const api::Json& one : answer["collections"]) all += one["name"].get<std::string>() + " ";
    return all;
  };
  const auto first = expect(200, "GET", "/v1/collections?limit=2");
  EXPECT_EQ(names(first), "atlas books ");
  EXPECT_EQ(first["total"], 4);
  EXPECT_EQ(first["next"], "after:books");
  const auto last = expect(200, "GET", "/v1/collections?limit=2&cursor=after:books");
  EXPECT_EQ(names(last), "books-2 zoo ");
  EXPECT_EQ(last["total"], 4);
  EXPECT_EQ(last["next"], nullptr);
  const auto some = expect(200, "GET", "/v1/collections?prefix=books&limit=1");
  EXPECT_EQ(names(some), "books ");
  EXPECT_EQ(some["total"], 2);
  EXPECT_EQ(names(expect(200, "GET", "/v1/collections?prefix=books&cursor=after:books")), "books-2 ");
  expect(400, "GET", "/v1/collections?limit=0");
}

TEST_F(Handlers, DeletedCollectionIsGone) {
  EXPECT_EQ(expect(200, "DELETE", "/v1/collections/books").dump(), R"({"name":"books","deleted":true})");
  expect(404, "GET", "/v1/collections/books");
}

TEST_F(Handlers, CollectionIsTemporaryAsLongAsItsTtlAndPermanentWithoutOne) {
  const api::Json made = expect(201, "PUT", "/v1/collections/x", kJson, R"({"ttl":3600})");
  EXPECT_TRUE(made["expires"].is_string());
  EXPECT_EQ(expect(200, "PUT", "/v1/collections/x")["expires"], made["expires"]);
  EXPECT_EQ(expect(200, "PUT", "/v1/collections/x", kJson, R"({"ttl":null})")["expires"], nullptr);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books")["expires"], nullptr);
  for (const char* body : {R"({"ttl":0})", R"({"ttl":-1})", R"({"ttl":"1h"})", R"({"ttl":315360001})"})
    expect(400, "PUT", "/v1/collections/x", kJson, body);
}

TEST_F(Handlers, CollectionWhoseTimeIsOverGoesWithAllThatBelongsToIt) {
  expect(201, "PUT", "/v1/collections/books/gate", kJson, "{}");
  ASSERT_FALSE(service_.catalog->set_expiry("books", time_now()).has_error());
  expect(404, "GET", "/v1/collections/books");
  api::Expiry::sweep(service_);
  expect(201, "PUT", "/v1/collections/books");
  expect(404, "GET", "/v1/collections/books/gate");
}

TEST_F(Handlers, CollectionMadeInPlaceOfAnExpiredOneInheritsNothing) {
  expect(201, "PUT", "/v1/collections/books/gate", kJson, "{}");
  ASSERT_TRUE(service_.state->put(state::Table::labels, "books", "labels").has_value());
  ASSERT_FALSE(service_.catalog->set_expiry("books", time_now()).has_error());
  expect(201, "PUT", "/v1/collections/books");
  expect(404, "GET", "/v1/collections/books/gate");
  EXPECT_EQ(service_.state->get(state::Table::labels, "books").value(), std::nullopt);
}

TEST_F(Handlers, DeletedCollectionTakesItsLabelsWithIt) {
  for (const char* name : {"books", "news"})
    ASSERT_TRUE(service_.state->put(state::Table::labels, name, "labels").has_value());
  expect(200, "DELETE", "/v1/collections/books");
  EXPECT_EQ(service_.state->get(state::Table::labels, "books").value(), std::nullopt);
  EXPECT_EQ(service_.state->get(state::Table::labels, "news").value(), "labels");
}

TEST_F(Handlers, CollectionMadeAgainIsEmpty) {
  put("a", sentences(1, 5));
  expect(200, "DELETE", "/v1/collections/books");
  expect(201, "PUT", "/v1/collections/books");
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books")["documents"], 0);
}

TEST_F(Handlers, PlainTextIsStoredWithItsTitle) {
  const std::string text = sentences(1, 5);
  auto stored = expect(201, "PUT", "/v1/collections/books/documents/a?title=War+%26%20peace", kText, text);
  const auto document = expect(200, "GET", "/v1/collections/books/documents/a");
  EXPECT_EQ(document["stored"], stored["stored"]);
  stored.erase("stored");
  EXPECT_EQ(stored.dump(), R"({"id":"a","replaced":false,"sentences":5,"features":5,"alerts":[]})");
  EXPECT_EQ(document["title"], "War & peace");
  EXPECT_EQ(document["text"], text);
  EXPECT_EQ(document["metadata"], api::Json::object());
}

TEST_F(Handlers, JsonDocumentKeepsMetadataInItsOrder) {
  expect(201, "PUT", "/v1/collections/books/documents/a", kJson,
         R"({"text":"One two. Three.","title":"T","metadata":{"z": [1, {"y":null}], "a":"б"}})");
  const auto document = expect(200, "GET", "/v1/collections/books/documents/a?include=record");
  EXPECT_EQ(document["metadata"].dump(), R"({"z":[1,{"y":null}],"a":"б"})");
  EXPECT_FALSE(document.contains("text"));
}

TEST_F(Handlers, SecondPutReplacesTextTitleAndMetadata) {
  expect(201, "PUT", "/v1/collections/books/documents/a", kJson,
         R"({"text":"One.","title":"T","metadata":{"k":1}})");
  EXPECT_EQ(expect(200, "PUT", "/v1/collections/books/documents/a", kText, "Two.")["replaced"], true);
  const auto document = expect(200, "GET", "/v1/collections/books/documents/a");
  EXPECT_EQ(document["text"], "Two.");
  EXPECT_EQ(document["title"], "");
  EXPECT_EQ(document["metadata"], api::Json::object());
}

TEST_F(Handlers, EmptyTextIsADocumentWithoutFeatures) {
  EXPECT_EQ(expect(201, "PUT", "/v1/collections/books/documents/a", kText, "")["features"], 0);
}

TEST_F(Handlers, IdWithSlashesMayBeEncodedOrNot) {
  expect(201, "PUT", "/v1/collections/books/documents/ru/vol.%201/a.txt", kText, "One.");
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/ru%2Fvol.%201%2fa.txt")["id"],
            "ru/vol. 1/a.txt");
}

TEST_F(Handlers, IdThatLooksLikeAPathIsJustAnId) {
  for (const char* id : {"..%2F..%2Fetc%2Fpasswd", "../x", "%2F", ".", "a//b", "%252e"}) {
    expect(201, "PUT", std::string("/v1/collections/books/documents/") + id, kText, "One.");
    expect(200, "GET", std::string("/v1/collections/books/documents/") + id);
  }
}

TEST_F(Handlers, DeletedDocumentIsGone) {
  put("a/b", sentences(1, 5));
  EXPECT_EQ(expect(200, "DELETE", "/v1/collections/books/documents/a/b").dump(),
            R"({"id":"a/b","deleted":true})");
  expect(404, "GET", "/v1/collections/books/documents/a/b");
  expect(404, "DELETE", "/v1/collections/books/documents/a/b");
}

TEST_F(Handlers, PagesListEveryDocumentOnce) {
  for (const char* id : {"a", "b", "c", "d", "e"}) put(id, "One.");
  const auto first = expect(200, "GET", "/v1/collections/books/documents?limit=2");
  EXPECT_EQ(first["total"], 5);
  EXPECT_THAT(ids(first["documents"]), ElementsAre("a", "b"));
  EXPECT_EQ(first["next"], "after:id:b");
  const auto second = expect(200, "GET", "/v1/collections/books/documents?limit=2&cursor=after:id:b");
  EXPECT_THAT(ids(second["documents"]), ElementsAre("c", "d"));
  const auto last = expect(200, "GET", "/v1/collections/books/documents?limit=2&cursor=after:id:d");
  EXPECT_THAT(ids(last["documents"]), ElementsAre("e"));
  EXPECT_EQ(last["next"], nullptr);
}

TEST_F(Handlers, SlashAtTheEndOfAPathChangesNothing) {
  put("a", "One.");
  EXPECT_EQ(call("GET", "/v1/collections/").body, call("GET", "/v1/collections").body);
  EXPECT_EQ(call("GET", "/v1/collections/books/").body, call("GET", "/v1/collections/books").body);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents/?limit=1")["total"], 1);
  EXPECT_EQ(expect(200, "POST", "/v1/collections/books/similar/?bound=0", kText, "One.")["total"], 1);
  expect(404, "GET", "/v1/collections/books/documents/a/");  // it is a part of the id
}

TEST_F(Handlers, PageMayBeginAfterAnyString) {
  put("b", "One.");
  EXPECT_THAT(ids(expect(200, "GET", "/v1/collections/books/documents?cursor=after:id:a")["documents"]),
              ElementsAre("b"));
  const std::string longer(1000, 'a');
  EXPECT_THAT(
      ids(expect(200, "GET", "/v1/collections/books/documents?cursor=after:id:" + longer)["documents"]),
      ElementsAre("b"));
  EXPECT_TRUE(expect(200, "GET", "/v1/collections/books/documents?cursor=after:id:%F4%8F%BF%BF")["documents"]
                  .empty());
}

TEST_F(Handlers, ListThatFitsItsPageExactlyHasNoNext) {
  for (const char* id : {"a", "b"}) put(id, "One.");
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books/documents?limit=2")["next"], nullptr);
}

TEST_F(Handlers, TextFindsItsDocumentAsAWhole) {
  put("a", sentences(1, 10));
  put("b", sentences(100, 10));
  const auto answer = expect(200, "POST", "/v1/collections/books/similar", kText, sentences(1, 10));
  EXPECT_EQ(answer["total"], 1);
  const auto& hit = answer["results"][0];
  EXPECT_EQ(hit["id"], "a");
  EXPECT_EQ(hit["x"], 10);
  for (const char* measure : {"containment", "contained", "resemblance", "sorensen"})
    EXPECT_EQ(hit[measure], 1.0);
  ASSERT_EQ(hit["passages"].size(), 1U);
  EXPECT_EQ(hit["passages"][0]["words"], hit["words"]["a"]);
  EXPECT_EQ(hit["words"]["a_share"], 1.0);
}

TEST_F(Handlers, JsonTextIsSearchedLikePlainText) {
  put("a", sentences(1, 10));
  const std::string body = api::Json{{"text", sentences(1, 10)}}.dump();
  EXPECT_EQ(call("POST", "/v1/collections/books/similar", kJson, body).body,
            call("POST", "/v1/collections/books/similar", kText, sentences(1, 10)).body);
}

TEST_F(Handlers, StoredDocumentIsLeftOutOfItsOwnResults) {
  put("a", sentences(1, 10));
  put("b", sentences(1, 8));
  const auto answer = expect(200, "POST", "/v1/collections/books/similar", kJson, R"({"id":"a"})");
  EXPECT_THAT(ids(answer["results"]), ElementsAre("b"));
  EXPECT_EQ(answer["query"]["sentences"], 10);
}

TEST_F(Handlers, ResultsHaveMoreThanTheBound) {
  put("a", sentences(1, 5));  // five features
  EXPECT_EQ(expect(200, "POST", "/v1/collections/books/similar?bound=4", kText, sentences(1, 5))["total"], 1);
  EXPECT_EQ(expect(200, "POST", "/v1/collections/books/similar?bound=5", kText, sentences(1, 5))["total"], 0);
}

TEST_F(Handlers, MinContainmentIsInclusive) {
  put("a", sentences(1, 6));
  // The query's ten features; six sentences share five pairs, and the sixth pair of `a` ends its text.
  const std::string query = sentences(1, 10);
  EXPECT_EQ(expect(200, "POST", "/v1/collections/books/similar?min_containment=0.5", kText, query)["total"],
            1);
  EXPECT_EQ(expect(200, "POST", "/v1/collections/books/similar?min_containment=0.51", kText, query)["total"],
            0);
}

TEST_F(Handlers, CursorsWalkThroughTheResults) {
  for (const int size : {5, 6, 7, 8, 9}) put(std::to_string(size), sentences(1, size));
  std::vector<std::string> walked;
  for (api::Json next = ""; next.is_string();) {
    const auto page =
        expect(200, "POST", "/v1/collections/books/similar?limit=2&cursor=" + next.get<std::string>(), kText,
               sentences(1, 10));
    EXPECT_EQ(page["total"], 5);
    next = page["next"];
    for (const auto& id : ids(page["results"])) walked.push_back(id);
  }
  EXPECT_THAT(walked, ElementsAre("9", "8", "7", "6", "5"));
}

TEST_F(Handlers, LimitZeroCounts) {
  put("a", sentences(1, 10));
  const auto answer = expect(200, "POST", "/v1/collections/books/similar?limit=0", kText, sentences(1, 10));
  EXPECT_EQ(answer["total"], 1);
  EXPECT_TRUE(answer["results"].empty());
}

TEST_F(Handlers, EvidenceCanBeLeftOut) {
  put("a", sentences(1, 10));
  const auto answer =
      expect(200, "POST", "/v1/collections/books/similar?include=measures", kText, sentences(1, 10));
  EXPECT_FALSE(answer["results"][0].contains("passages"));
}

TEST_F(Handlers, DefaultsAreThoseOfTheDocs) {
  const auto answer = expect(200, "POST", "/v1/collections/books/similar", kText, "One.");
  EXPECT_EQ(answer["bound"], 3);
  EXPECT_EQ(answer["min_containment"], 0.0);
  EXPECT_EQ(answer["limit"], 10);
  EXPECT_EQ(answer["next"], nullptr);
}

TEST_F(Handlers, SortByContainmentGivesTheBestWithoutCounting) {
  for (const int size : {1, 5, 9, 7}) put(std::to_string(size), sentences(1, size));
  const auto answer =
      expect(200, "POST", "/v1/collections/books/similar?sort=containment&limit=2", kText, sentences(1, 10));
  EXPECT_TRUE(answer["total"].is_null());
  EXPECT_THAT(ids(answer["results"]), ElementsAre("9", "7"));
}

TEST_F(Handlers, SortByContainmentHasNoBoundUnlessItIsGiven) {
  put("short", sentences(1, 2));  // shares one pair, far below the bound of the other order
  const std::string target = "/v1/collections/books/similar?sort=containment";
  const auto unbounded = expect(200, "POST", target, kText, sentences(1, 10));
  EXPECT_EQ(unbounded["bound"], 0);
  EXPECT_THAT(ids(unbounded["results"]), ElementsAre("short"));
  const auto bounded = expect(200, "POST", target + "&bound=3", kText, sentences(1, 10));
  EXPECT_EQ(bounded["bound"], 3);
  EXPECT_TRUE(bounded["results"].empty());
}

TEST_F(Handlers, SortByXIsTheDefault) {
  for (const int size : {5, 9, 7}) put(std::to_string(size), sentences(1, size));
  EXPECT_EQ(call("POST", "/v1/collections/books/similar?sort=x", kText, sentences(1, 10)).body,
            call("POST", "/v1/collections/books/similar", kText, sentences(1, 10)).body);
}

class HandlersWithoutTexts : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", kCollection, kJson, R"({"store_text":false})");
    expect(201, "PUT", kCollection + "/documents/a", kText, sentences(1, 10));
  }
  const std::string kCollection = "/v1/collections/books";
};

TEST_F(HandlersWithoutTexts, CollectionTellsThatItKeepsNone) {
  const auto collection = expect(200, "GET", kCollection);
  EXPECT_EQ(collection["store_text"], false);
  EXPECT_EQ(collection["text_stored_bytes"], 0);
}

TEST_F(HandlersWithoutTexts, PassagesHaveRangesAllTheSame) {
  const auto answer = expect(200, "POST", kCollection + "/similar", kText, sentences(1, 10));
  ASSERT_EQ(answer["results"].size(), 1U);
  ASSERT_EQ(answer["results"][0]["passages"].size(), 1U);
  EXPECT_EQ(answer["results"][0]["passages"][0]["a"], answer["results"][0]["passages"][0]["b"]);
}

TEST_F(HandlersWithoutTexts, StoredDocumentIsAQueryAllTheSame) {
  expect(201, "PUT", kCollection + "/documents/b", kText, sentences(1, 8));
  const auto answer = expect(200, "POST", kCollection + "/similar", kJson, R"({"id":"a"})");
  EXPECT_THAT(ids(answer["results"]), ElementsAre("b"));
}

TEST_F(HandlersWithoutTexts, RecordIsThereAndItsTextIsRefused) {
  EXPECT_EQ(expect(200, "GET", kCollection + "/documents/a?include=record")["sentences"], 10);
  const auto response = call("GET", kCollection + "/documents/a?include=text");
  EXPECT_GE(response.status, 400);
  EXPECT_THAT(response.body, ::testing::HasSubstr("keeps no texts"));
}

TEST_F(HandlersWithoutTexts, CollectionMadeAgainWithTextsIsAConflict) {
  const auto error = expect(409, "PUT", kCollection);
  EXPECT_THAT(error["detail"].get<std::string>(), ::testing::HasSubstr("no texts"));
  expect(409, "PUT", kCollection, kJson, R"({"store_text":true})");
  expect(200, "PUT", kCollection, kJson, R"({"store_text":false})");
}

TEST_F(Handlers, CompareTakesTwoTextsAndAScheme) {
  const std::string same = api::Json{{"a", sentences(1, 4)}, {"b", sentences(1, 4)}}.dump();
  EXPECT_EQ(expect(200, "POST", "/v1/compare", kJson, same)["resemblance"], 1.0);
  const std::string reordered =
      R"({"a":"One two. Three four.","b":"Four three. Two one.","scheme":"sentences"})";
  EXPECT_EQ(expect(200, "POST", "/v1/compare", kJson, reordered)["x"], 2);
}

TEST_F(Handlers, HeadIsRoutedAsGet) { EXPECT_EQ(call("HEAD", "/livez").body, call("GET", "/livez").body); }

}  // namespace
}  // namespace akin::test
