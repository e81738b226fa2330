// Documents under ids of the server's choice, and changes of title and metadata.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr std::string_view kBooksDocuments = "/v1/collections/books/documents";
constexpr std::string_view kPatchType = "application/merge-patch+json";

std::string header_of(const api::Response& response, std::string_view name) {
  const auto found = std::ranges::find(response.headers, name, [](const auto& one) { return one.first; });
  return found == response.headers.end() ? "" : found->second;
}

class Documents : public ServiceTest {
 protected:
  Documents() { expect(201, "PUT", "/v1/collections/books", kJson, R"({"store_file":true})"); }
  static std::string path(std::string_view id) {
    return std::string(kBooksDocuments) + "/" + std::string(id);
  }
  api::Response patch(std::string_view id, std::string_view body, std::string_view if_match = {}) const {
    api::Request request{.method = "PATCH",
                         .target = path(id),
                         .content_type = std::string(kPatchType),
                         .body = std::string(body)};
    if (!if_match.empty()) request.headers = {{"if-match", std::string(if_match)}};
    return api::handle(service_, request);
  }
};

TEST_F(Documents, GetIdsFromTheServer) {
  const api::Response made = call("POST", kBooksDocuments, kJson, R"({"text":"One two.","title":"T"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string id = api::parse_json(made.body)->at("id").get<std::string>();
  EXPECT_THAT(id, MatchesRegex("doc-[0-9a-f]{16}"));
  EXPECT_EQ(header_of(made, "Location"), path(id));
  EXPECT_EQ(header_of(made, "ETag"), header_of(call("GET", path(id)), "ETag"));
  EXPECT_EQ(expect(200, "GET", path(id)).at("text"), "One two.");
  EXPECT_NE(expect(201, "POST", kBooksDocuments, kText, "One two.").at("id"), id);
}

TEST_F(Documents, KeepTheirIdsInThePath) {
  EXPECT_THAT(expect(400, "POST", kBooksDocuments, kJson, R"({"id":"a","text":"One."})").dump(),
              HasSubstr("PUT the document to /v1/collections/books/documents/ID"));
}

/// The ids of the pages of a list, one document a page.
class ListedDocuments : public Documents {
 protected:
  ListedDocuments() {
    for (const char* id : {"b", "c", "a"})
      stored_.push_back(
          expect(201, "PUT", path(id), kJson, Json{{"text", sentences(1, 9)}, {"title", id}}.dump())["stored"]
              .get<std::string>());
    (void)expect(200, "PUT", path("b"), kJson, Json{{"text", sentences(1, 9)}, {"title", "b"}}.dump());
  }
  [[nodiscard]] std::vector<std::string> pages(const std::string& query) const {
    std::vector<std::string> ids;
    std::string cursor;
    do {
      const Json page =
          expect(200, "GET", std::string(kBooksDocuments) + "?limit=1&" + query + "&cursor=" + cursor);
      for (const Json& one : page["documents"]) ids.push_back(one["id"].get<std::string>());
      cursor = page["next"].is_null() ? "" : page["next"].get<std::string>();
    } while (!cursor.empty());
    return ids;
  }
  using Json = api::Json;
  using Ids = std::vector<std::string>;
  std::vector<std::string> stored_;  ///< when b, c and a were stored first
};

TEST_F(ListedDocuments, AreInTheOrderOfIdsOrOfTime) {
  EXPECT_EQ(pages(""), (Ids{"a", "b", "c"}));
  EXPECT_EQ(pages("order=id"), (Ids{"a", "b", "c"}));
  EXPECT_EQ(pages("order=stored"), (Ids{"c", "a", "b"}));
  EXPECT_EQ(pages("order=stored&filter=NOT+title+%3D+%22a%22"), (Ids{"c", "b"}));
}

TEST_F(ListedDocuments, AreThoseSinceATime) {
  EXPECT_EQ(pages("since=" + stored_[2]), (Ids{"a", "b"}));
  EXPECT_EQ(pages("since=" + stored_[0]), (Ids{"c", "a", "b"}));
  EXPECT_EQ(pages("since=2001-01-01&order=stored"), (Ids{"c", "a", "b"}));
  EXPECT_EQ(pages("since=2999-01-01"), Ids());
  const std::string list(kBooksDocuments);
  EXPECT_TRUE(expect(200, "GET", list + "?since=" + stored_[2])["total"].is_null());
  EXPECT_EQ(expect(200, "GET", list + "?limit=1&total=true&since=" + stored_[2])["total"], 2);
  EXPECT_EQ(expect(200, "GET", list + "?order=stored")["total"], 3);
}

TEST_F(ListedDocuments, CursorOfOneOrderIsNoneOfTheOther) {
  const std::string list(kBooksDocuments);
  for (const auto& [order, other] :
       {std::pair("order=id", "since=2001-01-01"), std::pair("since=2001-01-01", "order=id")}) {
    const Json next = expect(200, "GET", list + "?limit=1&" + order)["next"];
    EXPECT_THAT(expect(400, "GET", list + "?" + other + "&cursor=" + next.get<std::string>()).dump(),
                HasSubstr("is not a cursor"));
  }
}

TEST_F(ListedDocuments, AreRefusedForWhatIsNoOrder) {
  const std::string list(kBooksDocuments);
  EXPECT_THAT(expect(400, "GET", list + "?since=yesterday").dump(), HasSubstr("'since'"));
  EXPECT_THAT(expect(400, "GET", list + "?since=2001-01-01&order=id").dump(), HasSubstr("'order'"));
  EXPECT_THAT(expect(400, "GET", list + "?order=stored&cursor=after:x").dump(), HasSubstr("is not a cursor"));
  EXPECT_THAT(expect(400, "GET", list + "?order=title").dump(), HasSubstr("'order'"));
}

TEST_F(ListedDocuments, ShareWhatASearchByTheirIdFinds) {
  const std::string collection = "/v1/collections/books";
  const Json found = expect(200, "GET", collection + "/passages/a?limit=1&include=passage_text");
  EXPECT_EQ(found, expect(200, "POST", collection + "/similar?limit=1&include=passage_text", kJson,
                          R"({"id":"a"})"));
  EXPECT_EQ(found["total"], 2);
  EXPECT_TRUE(found["results"][0]["passages"][0].contains("a_text"));
  expect(404, "GET", collection + "/passages/none");
}

struct PatchRow {
  std::string name, patch, title, metadata;
  friend std::ostream& operator<<(std::ostream& out, const PatchRow& row) { return out << row.name; }
};

class PatchedDocument : public Documents, public ::testing::WithParamInterface<PatchRow> {};

TEST_P(PatchedDocument, HasWhatThePatchSays) {
  expect(201, "PUT", path("a"), kJson,
         R"({"text":"One two.","title":"T","metadata":{"author":"N.","more":{"x":1,"y":2}}})");
  const api::Response changed = patch("a", GetParam().patch);
  ASSERT_EQ(changed.status, 200) << changed.body;
  const api::Json now = expect(200, "GET", path("a"));
  EXPECT_EQ(now.at("title"), GetParam().title);
  EXPECT_EQ(now.at("metadata").dump(), GetParam().metadata);
  EXPECT_EQ(now.at("text"), "One two.");
  EXPECT_EQ(header_of(changed, "ETag"), header_of(call("GET", path("a")), "ETag"));
  EXPECT_EQ(changed.body, call("GET", path("a") + "?include=record").body);
}

INSTANTIATE_TEST_SUITE_P(
    All, PatchedDocument,
    ::testing::Values(PatchRow{"Title", R"({"title":"U"})", "U", R"({"author":"N.","more":{"x":1,"y":2}})"},
                      PatchRow{"NoTitle", R"({"title":null})", "", R"({"author":"N.","more":{"x":1,"y":2}})"},
                      PatchRow{"AField", R"({"metadata":{"year":3}})", "T",
                               R"({"author":"N.","more":{"x":1,"y":2},"year":3})"},
                      PatchRow{"AFieldLess", R"({"metadata":{"author":null}})", "T",
                               R"({"more":{"x":1,"y":2}})"},
                      PatchRow{"WithinAField", R"({"metadata":{"more":{"x":null,"z":3}}})", "T",
                               R"({"author":"N.","more":{"y":2,"z":3}})"},
                      PatchRow{"NoMetadata", R"({"metadata":null})", "T", "{}"},
                      PatchRow{"Nothing", "{}", "T", R"({"author":"N.","more":{"x":1,"y":2}})"}),
    [](const auto& row) { return row.param.name; });

TEST_F(Documents, KeepFeaturesAndFileWhenPatched) {
  const std::string page = "<title>Own</title><p>" + sentences(0, 9);
  expect(201, "PUT", path("a"), "text/html", page);
  const api::Json before = expect(200, "GET", path("a"));
  ASSERT_EQ(patch("a", R"({"title":"Given","metadata":{"year":1}})").status, 200);
  api::Json after = expect(200, "GET", path("a"));
  EXPECT_EQ(after.at("title"), "Given");
  EXPECT_EQ(after.at("metadata").dump(), R"({"year":1})");
  for (const char* changed : {"title", "metadata", "stored"}) after[changed] = before.at(changed);
  EXPECT_EQ(after, before);
  EXPECT_EQ(call("GET", "/v1/collections/books/files/a").body, page);
  EXPECT_EQ(expect(200, "POST", "/v1/collections/books/similar", kText, sentences(2, 5)).at("total"), 1);
  EXPECT_EQ(expect(200, "GET", "/v1/collections/books").at("documents"), 1);
}

TEST_F(Documents, StayAsTheyAreIfNothingChanges) {
  expect(201, "PUT", path("a"), kText, "One two.");
  const std::string tag = header_of(call("GET", path("a")), "ETag");
  EXPECT_EQ(header_of(patch("a", R"({"title":"","metadata":{"x":null}})"), "ETag"), tag);
}

TEST_F(Documents, ArePatchedOnlyInTheVersionNamed) {
  expect(201, "PUT", path("a"), kText, "One two.");
  const std::string tag = header_of(call("GET", path("a")), "ETag");
  EXPECT_EQ(patch("a", R"({"title":"T"})", "\"1\"").status, 412);
  EXPECT_EQ(patch("a", R"({"title":"T"})", tag).status, 200);
  EXPECT_EQ(patch("a", R"({"title":"U"})", tag).status, 412);
  EXPECT_EQ(patch("a", R"({"title":"U"})", "*").status, 200);
}

TEST_F(Documents, RefusePatchesThatAreNone) {
  expect(201, "PUT", path("a"), kText, "One two.");
  EXPECT_EQ(patch("b", R"({"title":"T"})").status, 404);
  EXPECT_EQ(patch("a", R"([])").status, 400);
  EXPECT_EQ(patch("a", R"({"titel":"T"})").status, 400);
  EXPECT_EQ(patch("a", R"({"title":1})").status, 400);
  EXPECT_EQ(patch("a", R"({"metadata":{"date":"yesterday"}})").status, 400);
  EXPECT_EQ(patch("a", R"({"metadata":"x"})").status, 400);
  EXPECT_THAT(patch("a", R"({"text":"T"})").body, HasSubstr("PUT the whole document"));
  EXPECT_EQ(call("PATCH", path("a"), kText, "T").status, 415);
  EXPECT_EQ(call("PATCH", path("a"), kJson, R"({"title":"T"})").status, 200);
}

TEST_F(Documents, WithoutTextsAreNotPatched) {
  expect(201, "PUT", "/v1/collections/bare", kJson, R"({"store_text":false})");
  expect(201, "PUT", "/v1/collections/bare/documents/a", kText, "One two.");
  EXPECT_THAT(expect(409, "PATCH", "/v1/collections/bare/documents/a", kJson, R"({"title":"T"})").dump(),
              HasSubstr("keeps no texts"));
}

}  // namespace
}  // namespace akin::test
