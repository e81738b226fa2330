// What happens between a request's head and its body: it gets an id, and may be refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include "tests/server/http/fake_backend.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using ::testing::MatchesRegex;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class HttpHead : public HttpTest {
 protected:
  void start_fake() { server_.emplace(fake_, quick_options()); }

  const std::shared_ptr<FakeBackend> fake_ = std::make_shared<FakeBackend>();
};

api::Response forbidden() { return {.status = 403, .headers = {}, .body = "no\n"}; }

TEST_F(HttpHead, ClientsRequestIdIsKept) {
  start_fake();
  HttpClient client(server_->port());
  client.send(request("GET", "/", {}, {}, "X-Request-Id: a.B_c-9\r\n"));
  EXPECT_EQ(client.receive()->header("x-request-id"), "a.B_c-9");
}

TEST_F(HttpHead, RequestsWithoutIdGetDifferentOnes) {
  start_fake();
  HttpClient client(server_->port());
  const auto first = client.ask("GET", "/")->header("x-request-id");
  EXPECT_THAT(first, MatchesRegex("[0-9a-f]{16}"));
  EXPECT_NE(client.ask("GET", "/")->header("x-request-id"), first);
}

class HttpWrongRequestId : public HttpHead, public ::testing::WithParamInterface<std::string> {};

TEST_P(HttpWrongRequestId, IsReplaced) {
  start_fake();
  HttpClient client(server_->port());
  client.send(request("GET", "/", {}, {}, "X-Request-Id: " + GetParam() + "\r\n"));
  EXPECT_THAT(client.receive()->header("x-request-id"), MatchesRegex("[0-9a-f]{16}"));
}

INSTANTIATE_TEST_SUITE_P(All, HttpWrongRequestId,
                         ::testing::Values("", "a b", "a\"b", "a/b", "\xc3\xa9", std::string(129, 'x')));

TEST_F(HttpHead, RefusedRequestCarriesItsId) {
  start();
  HttpClient client(server_->port());
  client.send("POST / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n");
  const auto answer = client.receive();
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->header("x-request-id"), "mine");
}

TEST_F(HttpHead, BackendSeesFieldsInLowerCaseAndPeer) {
  api::Request seen;
  fake_->answer = [&](const api::Request& given) {
    seen = given;
    return api::Response{};
  };
  start_fake();
  HttpClient client(server_->port());
  client.send("GET / HTTP/1.1\r\nHost: h\r\nX-One: A\r\n\r\n");
  ASSERT_EQ(client.receive()->status, 200);
  EXPECT_THAT(seen.headers, UnorderedElementsAre(Pair("host", "h"), Pair("x-one", "A")));
  EXPECT_EQ(seen.peer, "127.0.0.1");
}

TEST_F(HttpHead, EndpointIsLookedUpOncePerRequest) {
  api::Request seen;
  fake_->answer = [&](const api::Request& given) {
    seen = given;
    return api::Response{};
  };
  start_fake();
  HttpClient client(server_->port());
  ASSERT_EQ(client.ask("POST", "/worker", kText, "text")->status, 200);
  EXPECT_EQ(fake_->lookups, 1);
  EXPECT_EQ(seen.endpoint->delivery, api::Delivery::worker);
}

TEST_F(HttpHead, RefusalComesBeforeTheBody) {
  fake_->refuse = [](api::Request&) { return forbidden(); };
  start_fake();
  HttpClient client(server_->port());
  client.send("POST /worker HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n");
  const auto answer = client.receive();
  EXPECT_EQ(answer->status, 403);
  EXPECT_EQ(answer->header("connection"), "close");
}

TEST_F(HttpHead, RefusalOfARequestWithoutBodyKeepsTheConnection) {
  fake_->refuse = [](const api::Request& head) {
    return head.target == "/refused" ? std::optional(forbidden()) : std::nullopt;
  };
  start_fake();
  HttpClient client(server_->port());
  EXPECT_EQ(client.ask("GET", "/refused")->status, 403);
  EXPECT_EQ(client.ask("GET", "/")->status, 200);
}

TEST_F(HttpHead, AdmissionThatTakesTimeRunsOnAWorker) {
  fake_->slow_authorization = true;
  std::thread::id admitting, answering;
  fake_->refuse = [&](api::Request&) {
    admitting = std::this_thread::get_id();
    return std::nullopt;
  };
  fake_->answer = [&](const api::Request&) {
    answering = std::this_thread::get_id();
    return api::Response{};
  };
  start_fake();
  ASSERT_EQ(connect().ask("GET", "/")->status, 200);
  EXPECT_NE(admitting, answering) << "the answer comes from the connection's thread";
}

}  // namespace
}  // namespace akin::test
