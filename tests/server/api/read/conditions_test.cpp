// If-Match, If-None-Match and ETag over documents.
#include <gmock/gmock.h>

#include <algorithm>

#include "server/api/service.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

constexpr std::string_view kPath = "/v1/collections/books/documents/a";

class ConditionalRequests : public ServiceTest {
 protected:
  ConditionalRequests() { expect(201, "PUT", "/v1/collections/books"); }

  api::Response request(std::string_view method, std::string_view field, std::string_view value,
                        std::string_view body = "") const {
    api::Request request{.method = std::string(method),
                         .target = std::string(kPath),
                         .content_type = "text/plain",
                         .body = std::string(body)};
    if (!field.empty()) request.headers.emplace_back(field, value);
    return api::handle(service_, request);
  }
  static std::string tag_of(const api::Response& response) {
    const auto field = std::ranges::find(response.headers, "ETag", [](const auto& one) { return one.first; });
    return field == response.headers.end() ? "" : field->second;
  }
  std::string put(std::string_view body = "One sentence.") const {
    return tag_of(request("PUT", "", "", body));
  }
};

TEST_F(ConditionalRequests, ATagNamesOneVersion) {
  const std::string first = put();
  EXPECT_THAT(first, ::testing::MatchesRegex("\"[0-9a-f]+\""));
  EXPECT_EQ(tag_of(request("GET", "", "")), first);
  EXPECT_EQ(tag_of(request("HEAD", "", "")), first);
  EXPECT_NE(put(), first);
}

TEST_F(ConditionalRequests, AVersionThatIsKnownIsNotSentAgain) {
  const std::string tag = put();
  for (const std::string& value :
       {tag, "W/" + tag, "\"other\", " + tag, std::string("*"), "," + tag + " ,"}) {
    const api::Response response = request("GET", "if-none-match", value);
    EXPECT_EQ(response.status, 304) << value;
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(tag_of(response), tag);
  }
  EXPECT_EQ(request("GET", "if-none-match", "\"other\"").status, 200);
}

TEST_F(ConditionalRequests, OnlyTheVersionThatIsNamedIsRead) {
  const std::string tag = put();
  EXPECT_EQ(request("GET", "if-match", tag).status, 200);
  EXPECT_EQ(request("GET", "if-match", "W/" + tag).status, 412);
}

TEST_F(ConditionalRequests, OnlyTheVersionThatIsNamedIsReplaced) {
  const std::string first = put();
  const api::Response second = request("PUT", "if-match", "\"x\", " + first, "Two.");
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(request("PUT", "if-match", first, "Three.").status, 412);
  EXPECT_EQ(request("PUT", "if-match", "W/" + tag_of(second), "Three.").status, 412);
  EXPECT_EQ(api::Json::parse(request("GET", "", "").body)["text"], "Two.");
  EXPECT_EQ(request("PUT", "if-match", "*", "Three.").status, 200);
}

TEST_F(ConditionalRequests, WhatIsThereIsNotReplacedByWhatMustBeNew) {
  EXPECT_EQ(request("PUT", "if-none-match", "*", "One.").status, 201);
  const api::Response second = request("PUT", "if-none-match", "*", "Two.");
  EXPECT_EQ(second.status, 412);
  EXPECT_EQ(api::Json::parse(second.body)["code"], "precondition_failed");
  EXPECT_EQ(api::Json::parse(request("GET", "", "").body)["text"], "One.");
}

TEST_F(ConditionalRequests, WhatIsNotThereIsNotReplaced) {
  EXPECT_EQ(request("PUT", "if-match", "*", "One.").status, 412);
  EXPECT_EQ(request("PUT", "if-match", "\"5\"", "One.").status, 412);
}

TEST_F(ConditionalRequests, OnlyTheVersionThatIsNamedIsRemoved) {
  const std::string first = put();
  const std::string second = put("Two.");
  EXPECT_EQ(request("DELETE", "if-match", first).status, 412);
  EXPECT_EQ(request("DELETE", "if-match", second).status, 200);
  EXPECT_EQ(request("DELETE", "if-match", second).status, 404);
}

class BrokenConditions : public ConditionalRequests,
                         public ::testing::WithParamInterface<std::string_view> {};

TEST_P(BrokenConditions, AreRefused) {
  put();
  for (const std::string_view method : {"GET", "PUT", "DELETE"}) {
    const api::Response response = request(method, "if-match", GetParam(), "Two.");
    EXPECT_EQ(response.status, 400) << method;
    EXPECT_EQ(api::Json::parse(response.body)["what"], "field 'if-match'");
  }
}

INSTANTIATE_TEST_SUITE_P(Fields, BrokenConditions,
                         ::testing::Values("", "   ", ",", "abc", "\"abc", "abc\"", "w/\"abc\"",
                                           "\"a\" \"b\"", "*, \"a\"", "**", "\"a b\"", "\"a\"x"));

TEST_F(ConditionalRequests, TagsThatMustNotMatchAreRefusedForAWrite) {
  EXPECT_EQ(request("PUT", "if-none-match", "\"5\"", "One.").status, 400);
}

}  // namespace
}  // namespace akin::test
