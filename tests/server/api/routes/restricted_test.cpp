// Restricted texts: matched and counted, and shown to nobody but administrators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/audit/audit_log.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kSecret = "The zanzibar plan begins when the lighthouse keeper sleeps.";
constexpr std::string_view kAltered = "The zanzibar plan begins when the lighthouse keeper really sleeps.";
constexpr std::string_view kDocument = "/v1/collections/vault/documents/plan";

class RestrictedTest : public ServiceTest {
 protected:
  void SetUp() override { expect(201, "PUT", "/v1/collections/vault", kJson, R"({"store_file":true})"); }
  /// A document that shares ten sentences with what is checked, and has the secret among them.
  void store(const Json& metadata = Json::object()) const {
    const Json body = {{"text", sentences(100, 5) + std::string(kSecret) + " " + sentences(105, 5)},
                       {"metadata", metadata}};
    expect(201, "PUT", kDocument, kJson, body.dump());
  }
  void restrict_collection() const {
    expect(200, "PUT", "/v1/collections/vault", kJson, R"({"store_file":true,"restricted":true})");
  }
  [[nodiscard]] static std::string submission() {
    return sentences(100, 5) + std::string(kAltered) + " " + sentences(105, 5);
  }
  [[nodiscard]] Json check() const {
    return expect(201, "POST", "/v1/checks", kJson,
                  Json{{"collections", {"vault"}}, {"text", submission()}}.dump());
  }
  [[nodiscard]] Json passages_of(const Json& check) const {
    return expect(
        200, "GET",
        "/v1/checks/" + check["id"].get<std::string>() + "?include=passage_text")["sources"][0]["passages"];
  }
  [[nodiscard]] std::string report_of(const Json& check) const {
    return call("GET", "/v1/checks/" + check["id"].get<std::string>() + "/report").body;
  }
};

TEST_F(RestrictedTest, ADocumentIsReadWithoutItsText) {
  store({{"restricted", true}});
  expect(403, "GET", kDocument);
  EXPECT_FALSE(expect(200, "GET", std::string(kDocument) + "?include=record").contains("text"));
  const std::string page = call("GET", "/desk/collections/vault/documents/plan").body;
  EXPECT_THAT(page, Not(HasSubstr(kSecret)));
  EXPECT_THAT(page, HasSubstr("is restricted"));
  EXPECT_EQ(call("GET", "/desk/compare?collection=vault&a=plan&b=plan").status, 403);
}

TEST_F(RestrictedTest, AFileIsNotGivenOut) {
  restrict_collection();
  expect(201, "PUT", kDocument, "text/html", "<p>" + std::string(kSecret));
  expect(403, "GET", "/v1/collections/vault/files/plan");
}

TEST_F(RestrictedTest, ASearchCountsItAndShowsTheOtherSideAlone) {
  store();
  const std::string similar = "/v1/collections/vault/similar?include=passage_text&bound=1";
  const Json before = expect(200, "POST", similar, kText, submission())["results"][0]["passages"];
  ASSERT_FALSE(before.empty());
  for (const Json& passage : before) EXPECT_TRUE(passage["b_text"].is_string());
  restrict_collection();
  const Json found = expect(200, "POST", similar, kText, submission())["results"][0];
  EXPECT_GT(found["x"], 1);
  for (const Json& passage : found["passages"]) {
    EXPECT_TRUE(passage["a_text"].is_string());
    EXPECT_TRUE(passage["b_text"].is_null());
  }
}

TEST_F(RestrictedTest, ASearchByARestrictedDocumentShowsNothingOfIt) {
  store();
  expect(201, "PUT", "/v1/collections/vault/documents/copy", kJson, Json{{"text", submission()}}.dump());
  expect(200, "PATCH", kDocument, kJson, R"({"metadata":{"restricted":true}})");
  const Json found = expect(200, "POST", "/v1/collections/vault/similar?include=passage_text&bound=1", kJson,
                            R"({"id":"plan"})")["results"][0];
  for (const Json& passage : found["passages"]) EXPECT_TRUE(passage["a_text"].is_null());
}

TEST_F(RestrictedTest, ACheckCountsItAndKeepsNothingOfIt) {
  store({{"restricted", true}});
  const Json made = check();
  EXPECT_GT(made["share"], 0.8);
  EXPECT_TRUE(service_.checks->excerpts(made["id"].get<std::string>())->empty());
  for (const Json& passage : passages_of(made)) EXPECT_TRUE(passage["b_text"].is_null());
  EXPECT_THAT(report_of(made), Not(HasSubstr(kSecret)));
  EXPECT_THAT(report_of(made), HasSubstr("is restricted"));
}

TEST_F(RestrictedTest, WhatIsRestrictedLaterIsHiddenInEarlierChecks) {
  store();
  const Json made = check();
  EXPECT_THAT(report_of(made), HasSubstr(kSecret));
  restrict_collection();
  EXPECT_THAT(report_of(made), Not(HasSubstr(kSecret)));
  for (const Json& passage : passages_of(made)) EXPECT_TRUE(passage["b_text"].is_null());
  expect(200, "DELETE", "/v1/collections/vault");
  EXPECT_THAT(report_of(made), Not(HasSubstr(kSecret)));
}

TEST_F(RestrictedTest, ItCannotBeCheckedItself) {
  store({{"restricted", true}});
  expect(403, "POST", "/v1/checks", kJson, R"({"collections":["vault"],"collection":"vault","id":"plan"})");
}

TEST_F(RestrictedTest, ACheckOfADocumentIsHiddenOnceThatIsRestricted) {
  store();
  const Json made = expect(201, "POST", "/v1/checks", kJson,
                           R"({"collections":["vault"],"collection":"vault","id":"plan"})");
  const std::string path = "/v1/checks/" + made["id"].get<std::string>();
  EXPECT_THAT(expect(200, "GET", path + "?include=text").dump(), HasSubstr(kSecret));
  restrict_collection();
  expect(403, "GET", path + "?include=text");
  EXPECT_EQ(call("GET", path + "/report").status, 403);
  expect(200, "GET", path);
}

TEST_F(RestrictedTest, CommonTextHasNoExamplesFromIt) {
  store();
  expect(201, "PUT", "/v1/collections/vault/documents/copy", kJson, Json{{"text", submission()}}.dump());
  EXPECT_THAT(expect(200, "GET", "/v1/collections/vault?common=100").dump(), HasSubstr("zanzibar"));
  restrict_collection();
  const Json object = expect(200, "GET", "/v1/collections/vault?common=100");
  EXPECT_THAT(object.dump(), Not(HasSubstr("zanzibar")));
  EXPECT_EQ(object["restricted"], true);
}

TEST_F(RestrictedTest, MarksAreInTheAuditLog) {
  restrict_collection();
  expect(200, "PUT", "/v1/collections/vault", kJson, R"({"store_file":true,"restricted":false})");
  store({{"restricted", true}});
  expect(200, "PATCH", kDocument, kJson, R"({"metadata":{"restricted":null}})");
  std::string log;
  const auto lines = audit::lines(*service_.state, 0, 100).value();
  for (const std::string& line : lines) log += line;
  for (const char* action : {"collection.restricted", "collection.released", "document.released"})
    EXPECT_THAT(log, HasSubstr(action));
}

}  // namespace
}  // namespace akin::test
