// What requests leave in the audit log, and how it is listed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/audit/audit_log.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;
using testing::ElementsAre;
using testing::IsEmpty;

class AuditRoutes : public ServiceTest {
 protected:
  [[nodiscard]] std::vector<std::string> actions(const std::string& query = {}) const {
    std::vector<std::string> found;
    const Json page = expect(200, "GET", "/v1/audit" + query);
    for (const Json& entry : page["entries"]) found.push_back(entry["action"].get<std::string>());
    return found;
  }
};

TEST_F(AuditRoutes, PoliciesAndTheirRemovalAreRecorded) {
  expect(201, "PUT", "/v1/policies/theses", kJson, "{}");
  expect(200, "PUT", "/v1/policies/theses", kJson, R"({"readers": 2})");
  expect(200, "DELETE", "/v1/policies/theses");
  expect(404, "DELETE", "/v1/policies/theses");
  EXPECT_THAT(actions(), ElementsAre("policy.deleted", "policy.changed", "policy.created"));
}

TEST_F(AuditRoutes, AReadingOfATextIsRecordedAndThatOfNumbersIsNot) {
  expect(201, "PUT", "/v1/collections/books");
  const Json body = {{"collections", {"books"}}, {"text", sentences(1, 10)}};
  const std::string path =
      "/v1/checks/" + expect(201, "POST", "/v1/checks", kJson, body.dump())["id"].get<std::string>();
  expect(200, "GET", path);
  EXPECT_THAT(actions(), IsEmpty());
  expect(200, "GET", path + "?include=text");
  EXPECT_EQ(call("GET", path + "/report").status, 200);
  expect(200, "DELETE", path);
  expect(200, "DELETE", "/v1/collections/books");
  EXPECT_THAT(actions(), ElementsAre("collection.deleted", "check.deleted", "check.read", "check.read"));
}

TEST_F(AuditRoutes, AnAdmissionIsRecordedOnceAndWhatItRefusedAsFailed) {
  expect(201, "PUT", "/v1/collections/books");
  expect(201, "PUT", "/v1/collections/books/documents/taken", kText, sentences(20, 10));
  const Json body = {{"collections", {"books"}}, {"text", sentences(1, 10)}};
  const Json check = expect(201, "POST", "/v1/checks", kJson, body.dump());
  const std::string path = "/v1/checks/" + check["id"].get<std::string>() + "/admit";
  expect(409, "POST", path, kJson, R"({"collection": "books", "id": "taken"})");
  for (const int status : {201, 200})
    expect(status, "POST", path, kJson, R"({"collection": "books", "id": "new"})");
  EXPECT_THAT(actions(), ElementsAre("document.admitted", "document.admitted", "document.admitted"));
  const Json entries = expect(200, "GET", "/v1/audit")["entries"];
  EXPECT_EQ(entries[0]["about"], "books/new");
  EXPECT_EQ(entries[0]["details"], (Json{{"check", check["id"]}}));
  EXPECT_EQ(entries[1]["details"], (Json{{"check", check["id"]}, {"failed", "already_exists"}}));
}

TEST_F(AuditRoutes, EntriesAreListedPageByPageTheNewestFirst) {
  for (const char* name : {"a", "b", "c"})
    expect(201, "PUT", "/v1/policies/" + std::string(name), kJson, "{}");
  const Json first = expect(200, "GET", "/v1/audit?limit=2");
  EXPECT_EQ(first["entries"][0]["about"], "c");
  const Json second = expect(200, "GET", "/v1/audit?limit=2&cursor=" + first["next"].get<std::string>());
  ASSERT_EQ(second["entries"].size(), 1U);
  EXPECT_EQ(second["entries"][0]["about"], "a");
  EXPECT_TRUE(second["next"].is_null());
}

TEST_F(AuditRoutes, ADecisionAndItsEntryAreWrittenTogether) {
  expect(201, "PUT", "/v1/collections/books");
  const Json body = {{"collections", {"books"}}, {"text", sentences(1, 10)}};
  const std::string path =
      "/v1/checks/" + expect(201, "POST", "/v1/checks", kJson, body.dump())["id"].get<std::string>();
  expect(200, "PUT", path + "/decision", kJson, R"({"state": "accepted"})");
  const Json entry = expect(200, "GET", "/v1/audit")["entries"][0];
  EXPECT_EQ(entry["action"], "check.decided");
  EXPECT_EQ(entry["details"]["state"], "accepted");
  EXPECT_EQ(entry["details"]["number"], 1);
  EXPECT_THAT(audit::verify(*service_.state)->problems, IsEmpty());
}

}  // namespace
}  // namespace akin::test
