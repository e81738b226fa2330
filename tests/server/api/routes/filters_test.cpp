// `filter` over searches and lists, and the metadata that it asks for.
#include <gmock/gmock.h>

#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

constexpr std::string_view kText = "text/plain";

class FilteredRequests : public ServiceTest {
 protected:
  FilteredRequests() {
    expect(201, "PUT", "/v1/collections/books");
    put("a", R"({"author":"N. N.","date":"2019-05-17"})");
    put("b", R"({"author":"N. N.","date":"2021-05-17"})");
    put("c", "{}");
  }
  void put(const std::string& id, const std::string& metadata) const {
    expect(201, "PUT", "/v1/collections/books/documents/" + id, kJson,
           R"({"text":")" + sentences(1, 9) + R"(","metadata":)" + metadata + "}");
  }
  static std::vector<std::string> ids(const api::Json& documents) {
    std::vector<std::string> all;
    for (const api::Json& one : documents) all.push_back(one["id"].get<std::string>());
    return all;
  }
  using Ids = std::vector<std::string>;
};

TEST_F(FilteredRequests, ASearchCountsAndListsOnlyWhatMatches) {
  const auto answer = expect(200, "POST", "/v1/collections/books/similar?filter=author%3D%22N.+N.%22&limit=1",
                             kText, sentences(1, 9));
  EXPECT_EQ(answer["total"], 2);
  EXPECT_EQ(ids(answer["results"]), Ids{"a"});
  const auto later =
      expect(200, "POST", "/v1/collections/books/similar?filter=date%3E2020-01-01", kText, sentences(1, 9));
  EXPECT_EQ(ids(later["results"]), Ids{"b"});
}

TEST_F(FilteredRequests, TheBestAreTheBestOfWhatMatches) {
  const auto answer = expect(
      200, "POST", "/v1/collections/books/similar?sort=containment&limit=1&filter=id+NOT+IN+%5B%22a%22%5D",
      kText, sentences(1, 9));
  EXPECT_EQ(ids(answer["results"]), Ids{"b"});
}

TEST_F(FilteredRequests, AListCountsWhatMatchesOverAllItsPages) {
  const auto first =
      expect(200, "GET", "/v1/collections/books/documents?limit=1&filter=author+EXISTS&total=true");
  EXPECT_EQ(first["total"], 2);
  EXPECT_EQ(ids(first["documents"]), Ids{"a"});
  EXPECT_EQ(first["next"], "after:id:a");
  const auto second =
      expect(200, "GET", "/v1/collections/books/documents?limit=1&cursor=after:id:a&filter=author+EXISTS");
  EXPECT_EQ(second["total"], nullptr) << "counting reads every record";
  EXPECT_EQ(ids(second["documents"]), Ids{"b"});
  EXPECT_EQ(second["next"], nullptr);
}

TEST_F(FilteredRequests, ABrokenFilterIsRefused) {
  for (const std::string_view path :
       {"/v1/collections/books/documents?filter=a+%3D", "/v1/collections/books/documents?filter="}) {
    EXPECT_EQ(expect(400, "GET", path)["what"], "filter");
  }
  expect(400, "POST", "/v1/collections/books/similar?filter=a", kText, "x");
}

TEST_F(FilteredRequests, MetadataKnownByNameAreOfTheirKind) {
  for (const std::string_view metadata : {R"({"author":5})", R"({"url":null})", R"({"group":["a"]})",
                                          R"({"date":"2020-02-30"})", R"({"date":20})"}) {
    const auto refused = expect(400, "PUT", "/v1/collections/books/documents/x", kJson,
                                R"({"text":"x","metadata":)" + std::string(metadata) + "}");
    EXPECT_THAT(refused["what"].get<std::string>(), ::testing::StartsWith("field 'metadata."));
  }
  put("y", R"({"date":"2020-02-29T10:00:00+03:00","author":"","more":[1,{}]})");
}

}  // namespace
}  // namespace akin::test
