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
  api::Response ask(std::string_view key, std::string_view method, std::string_view target) const {
    api::Request request{
        .method = std::string(method), .target = std::string(target), .content_type = "", .body = ""};
    if (!key.empty()) request.headers.emplace_back("authorization", "Bearer " + std::string(key));
    if (auto refusal = api::admit(service_, request)) return *refusal;
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

}  // namespace
}  // namespace akin::test
