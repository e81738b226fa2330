// Which requests are let in, as the routes say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/access/keys.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using ::testing::Contains;
using ::testing::Pair;

class AdmissionTest : public ServiceTest {
 protected:
  AdmissionTest() {
    service_.access = std::make_shared<access::Access>(service_.state, false, access::AccessLimits{});
  }

  std::string make_key(access::Scope scope, std::vector<std::string> collections = {}) {
    access::Keys keys(service_.state);
    return keys.create({.label = "", .scopes = {scope}, .collections = std::move(collections), .expires = {}})
        .value()
        .token;
  }

  /// The answer of a session: what admission refuses never reaches a handler.
  api::Response ask(std::string_view key, std::string_view method, std::string_view target,
                    std::string body = "") const {
    api::Request request{.method = std::string(method),
                         .target = std::string(target),
                         .content_type = body.empty() ? "" : "application/json",
                         .body = std::move(body)};
    if (!key.empty()) request.headers.emplace_back("authorization", "Bearer " + std::string(key));
    if (auto refusal = api::authorize(service_, request)) return *refusal;
    return api::handle(service_, request);
  }
};

TEST_F(AdmissionTest, AsksForAKeyAndSaysHow) {
  make_key(access::Scope::admin);
  const api::Response response = ask("", "GET", "/v1/collections");
  EXPECT_EQ(response.status, 401);
  EXPECT_THAT(response.headers, Contains(Pair("WWW-Authenticate", "Bearer")));
}

TEST_F(AdmissionTest, LetsProbesInWithoutAKey) {
  make_key(access::Scope::admin);
  for (const char* path : {"/livez", "/readyz", "/version"})
    EXPECT_EQ(ask("", "GET", path).status, 200) << path;
}

TEST_F(AdmissionTest, CannotBePassedByAnotherSpellingOfThePath) {
  make_key(access::Scope::admin);
  for (const char* target : {"http://host/v1/collections", "/v1/collections?x", "/v1/collections?"}) {
    EXPECT_EQ(ask("", "GET", target).status, 401) << target;
  }
  EXPECT_EQ(ask("", "HEAD", "/v1/collections").status, 401);
}

struct AdmissionRow {
  const char* method;
  const char* target;
  access::Scope needs;
};

class Routes : public AdmissionTest, public ::testing::WithParamInterface<AdmissionRow> {};

TEST_P(Routes, NeedTheirScope) {
  using access::Scope;
  const std::string reading = make_key(Scope::read);
  const std::string writing = make_key(Scope::write);
  const bool reader_may = GetParam().needs == Scope::read;
  const bool writer_may = GetParam().needs != Scope::admin;
  EXPECT_EQ(ask(reading, GetParam().method, GetParam().target).status != 403, reader_may);
  EXPECT_EQ(ask(writing, GetParam().method, GetParam().target).status != 403, writer_may);
}

INSTANTIATE_TEST_SUITE_P(
    Admission, Routes,
    ::testing::Values(AdmissionRow{"GET", "/v1/collections", access::Scope::read},
                      AdmissionRow{"PUT", "/v1/collections/c", access::Scope::admin},
                      AdmissionRow{"DELETE", "/v1/collections/c", access::Scope::admin},
                      AdmissionRow{"GET", "/v1/collections/c/documents/d", access::Scope::read},
                      AdmissionRow{"PUT", "/v1/collections/c/documents/d", access::Scope::write},
                      AdmissionRow{"DELETE", "/v1/collections/c/documents/d", access::Scope::write},
                      AdmissionRow{"POST", "/v1/collections/c/similar", access::Scope::read},
                      AdmissionRow{"DELETE", "/v1/tasks/t", access::Scope::admin},
                      AdmissionRow{"POST", "/v1/compare", access::Scope::read}));

TEST_F(AdmissionTest, HidesCollectionsThatAKeyDoesNotAllow) {
  ASSERT_EQ(call("PUT", "/v1/collections/a").status, 201);
  ASSERT_EQ(call("PUT", "/v1/collections/b").status, 201);
  const std::string key = make_key(access::Scope::admin, {"a"});
  EXPECT_EQ(ask(key, "GET", "/v1/collections/a").status, 200);
  EXPECT_EQ(ask(key, "GET", "/v1/collections/b").status, 403);
  EXPECT_EQ(ask(key, "DELETE", "/v1/collections/b").status, 403);
  const auto list = api::Json::parse(ask(key, "GET", "/v1/collections").body);
  EXPECT_EQ(list["total"], 1);
  EXPECT_EQ(list["collections"][0]["name"], "a");
}

/// A hidden collection `own` with a document, an open one, and a check of the document against the open one.
class ChecksOfOthers : public AdmissionTest {
 protected:
  ChecksOfOthers() {
    expect(201, "PUT", "/v1/collections/own");
    expect(201, "PUT", "/v1/collections/open");
    call("PUT", "/v1/collections/own/documents/secret", "text/plain", sentences(1, 20));
    call("PUT", "/v1/collections/open/documents/public", "text/plain", sentences(1, 20));
    admin_ = make_key(access::Scope::admin);
  }

  [[nodiscard]] std::string check(std::string_view key, const api::Json& request) const {
    const api::Response answer = ask(key, "POST", "/v1/checks", request.dump());
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/v1/checks/" + api::Json::parse(answer.body)["id"].get<std::string>();
  }

  const api::Json of_secret_ = {{"collections", {"open"}}, {"collection", "own"}, {"id", "secret"}};
  const api::Json of_text_ = {{"collections", {"open"}}, {"text", sentences(1, 20)}};
  std::string admin_;
};

TEST_F(ChecksOfOthers, AreNotThereForAnotherKey) {
  const std::string mine = make_key(access::Scope::check), other = make_key(access::Scope::check);
  const std::string path = check(mine, of_text_);
  EXPECT_EQ(ask(mine, "GET", path).status, 200);
  EXPECT_EQ(ask(admin_, "GET", path).status, 200);
  for (const char* what : {"", "?include=text", "?include=passage_text"}) {
    EXPECT_EQ(ask(other, "GET", path + what).status, 404) << what;
  }
  EXPECT_EQ(ask(other, "POST", path + "/repeat").status, 404);
  EXPECT_EQ(ask(other, "DELETE", path).status, 404);
  EXPECT_EQ(api::Json::parse(ask(other, "GET", "/v1/checks?total=true").body)["total"], 0);
  EXPECT_EQ(api::Json::parse(ask(mine, "GET", "/v1/checks?total=true").body)["total"], 1);
  EXPECT_EQ(api::Json::parse(ask(admin_, "GET", "/v1/checks?total=true").body)["total"], 1);
}

TEST_F(ChecksOfOthers, ShowADocumentOfAHiddenCollectionToNobody) {
  const std::string bound = make_key(access::Scope::admin, {"open"});
  const std::string path = check(admin_, of_secret_);
  EXPECT_EQ(ask(bound, "GET", path + "?include=text").status, 404);
  EXPECT_EQ(ask(bound, "POST", path + "/admit", R"({"collection":"open","id":"copy"})").status, 404);
  EXPECT_EQ(api::Json::parse(ask(bound, "GET", "/v1/checks?total=true").body)["total"], 0);
}

TEST_F(ChecksOfOthers, ShowNoStoredTextToAKeyThatCannotRead) {
  const std::string key = make_key(access::Scope::check);
  const std::string of_document = check(key, of_secret_);
  EXPECT_EQ(ask(key, "GET", of_document + "?include=text").status, 403);
  EXPECT_EQ(ask(key, "GET", of_document + "?include=passage_text").status, 403);
  const auto of_text = api::Json::parse(ask(key, "GET", check(key, of_text_) + "?include=passage_text").body);
  const api::Json& passage = of_text["sources"][0]["passages"][0];
  EXPECT_TRUE(passage["a_text"].is_string());
  EXPECT_TRUE(passage["b_text"].is_null());
}

TEST_F(ChecksOfOthers, FollowPoliciesThatABoundKeyCannotChange) {
  const std::string bound = make_key(access::Scope::admin, {"open"});
  EXPECT_EQ(ask(bound, "PUT", "/v1/policies/lenient", R"({"bound":100})").status, 403);
  EXPECT_EQ(ask(admin_, "PUT", "/v1/policies/lenient", R"({"bound":100})").status, 201);
  EXPECT_EQ(ask(bound, "DELETE", "/v1/policies/lenient").status, 403);
}

}  // namespace
}  // namespace akin::test
