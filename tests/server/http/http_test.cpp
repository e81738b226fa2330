// The server as well-behaved clients see it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class Http : public HttpTest {
 protected:
  void SetUp() override { start(); }
};

TEST_F(Http, AnswersWithTypeLengthAndDate) {
  const auto answer = connect().ask("GET", "/livez");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "{\"status\":\"alive\"}\n");
  EXPECT_EQ(answer->header("content-type"), "application/json; charset=utf-8");
  EXPECT_EQ(answer->header("content-length"), std::to_string(answer->body.size()));
  EXPECT_THAT(answer->header("date"), MatchesRegex("..., [0-9][0-9] ... 2[0-9]{3} [0-9:]{8} GMT"));
}

TEST_F(Http, OneConnectionServesManyRequests) {
  HttpClient client(server_->port());
  ASSERT_EQ(client.ask("PUT", "/v1/collections/c")->status, 201);
  for (int number = 0; number < 50; ++number) {
    const auto answer = client.ask("PUT", "/v1/collections/c/documents/" + std::to_string(number), kText,
                                   sentences(number, 5));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 201);
  }
}

TEST_F(Http, PipelinedRequestsAreAnsweredInOrder) {
  HttpClient client(server_->port());
  client.send(request("GET", "/livez") + request("GET", "/version") +
              request("POST", "/v1/compare", kJson, R"({"a":"","b":""})") + request("GET", "/none"));
  EXPECT_THAT(client.receive()->body, HasSubstr("alive"));
  EXPECT_THAT(client.receive()->body, HasSubstr("version"));
  EXPECT_THAT(client.receive()->body, HasSubstr("resemblance"));
  EXPECT_EQ(client.receive()->status, 404);
}

TEST_F(Http, RequestMayComeByteByByte) {
  HttpClient client(server_->port());
  for (const char byte : request("POST", "/v1/compare", kJson, R"({"a":"","b":""})")) {
    ASSERT_TRUE(client.send(std::string_view(&byte, 1)));
    std::this_thread::yield();
  }
  EXPECT_EQ(client.receive()->status, 200);
}

TEST_F(Http, ChunkedBodyIsOneText) {
  HttpClient client(server_->port());
  client.send(
      "POST /v1/compare HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: "
      "chunked\r\n\r\n");
  client.send("8\r\n{\"a\":\"x\"\r\n");
  client.send("8;ext=1\r\n,\"b\":\"y\"\r\n1\r\n}\r\n0\r\nTrailer: t\r\n\r\n");
  EXPECT_EQ(client.receive()->status, 200);
  EXPECT_EQ(client.ask("GET", "/livez")->status, 200);
}

TEST_F(Http, ContinueIsSentBeforeTheBody) {
  HttpClient client(server_->port());
  const std::string body = R"({"a":"x","b":"x"})";
  client.send(
      "POST /v1/compare HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n");
  EXPECT_EQ(client.receive()->status, 100);
  client.send(body);
  EXPECT_EQ(client.receive()->status, 200);
}

TEST_F(Http, ClientOfHttpOneZeroGetsNoContinue) {
  HttpClient client(server_->port());
  const std::string body = R"({"a":"x","b":"x"})";
  client.send(
      "POST /v1/compare HTTP/1.0\r\nContent-Type: application/json\r\nExpect: "
      "100-continue\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n");
  client.send(body);
  EXPECT_EQ(client.receive()->status, 200);
}

TEST_F(Http, HeadHasTheLengthButNoBody) {
  HttpClient client(server_->port());
  const auto get = client.ask("GET", "/version");
  const auto head = client.ask("HEAD", "/version");
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->header("content-length"), std::to_string(get->body.size()));
  EXPECT_EQ(client.ask("GET", "/livez")->status, 200);
}

TEST_F(Http, OptionsIsNotAllowed) {
  const auto answer = connect().ask("OPTIONS", "/livez");
  EXPECT_EQ(answer->status, 405);
  EXPECT_EQ(answer->header("allow"), "GET, HEAD");
}

TEST_F(Http, ConnectionIsClosedWhenTheClientAsks) {
  HttpClient client(server_->port());
  client.send(request("GET", "/livez", {}, {}, "Connection: close\r\n"));
  EXPECT_EQ(client.receive()->header("connection"), "close");
  EXPECT_TRUE(client.closed());
}

TEST_F(Http, Http10IsAnsweredAndClosed) {
  HttpClient client(server_->port());
  client.send("GET /livez HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.receive()->status, 200);
  EXPECT_TRUE(client.closed());
}

TEST_F(Http, HalfClosedClientStillGetsItsAnswer) {
  HttpClient client(server_->port());
  client.send(request("GET", "/livez"));
  client.finish_sending();
  EXPECT_EQ(client.receive()->status, 200);
}

TEST_F(Http, LargeAnswerArrivesWhole) {
  HttpClient client(server_->port());
  client.ask("PUT", "/v1/collections/c");
  const std::string text = sentences(1, 60'000);
  ASSERT_EQ(client.ask("PUT", "/v1/collections/c/documents/a", kText, text)->status, 201);
  const auto answer = client.ask("GET", "/v1/collections/c/documents/a");
  ASSERT_TRUE(answer);
  EXPECT_TRUE(api::Json::parse(answer->body)["text"] == text) << "4 MB, which are not printed";
}

/// Writers put documents while readers search: a reader sees every document whole or not at all, and each one
/// that was acknowledged before it asked.
TEST_F(Http, PutsAndSearchesRunTogether) {
  constexpr int kWriters = 3;
  constexpr int kDocuments = 15;
  connect().ask("PUT", "/v1/collections/c");
  std::atomic<int> acknowledged{0};
  std::atomic<bool> done{false};
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      HttpClient client(server_->port());
      for (int number = 0; number < kDocuments; ++number) {
        const auto id = std::to_string(writer) + "/" + std::to_string(number);
        const auto answer = client.ask("PUT", "/v1/collections/c/documents/" + id, kText, sentences(1, 10));
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->status, 201) << answer->body;
        ++acknowledged;
      }
    });
  }
  std::jthread reader([&] {
    HttpClient client(server_->port());
    while (!done) {
      const int before = acknowledged;
      const auto answer = client.ask("POST", "/v1/collections/c/similar?limit=1000", kText, sentences(1, 10));
      ASSERT_TRUE(answer);
      const auto found = api::Json::parse(answer->body);
      EXPECT_GE(found["total"].get<int>(), before);
      for (const auto& hit : found["results"]) EXPECT_EQ(hit["x"], 10);
    }
  });
  writers.clear();
  done = true;
  reader.join();
  const auto last = connect().ask("POST", "/v1/collections/c/similar", kText, sentences(1, 10));
  EXPECT_EQ(api::Json::parse(last->body)["total"], kWriters * kDocuments);
}

TEST(Serve, TwoOnOnePortIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  const api::Service service = open_service(folder.path());
  http::ServerOptions options;
  options.port = 0;
  RunningServer first(service, options);
  options.port = first.port();
  const auto second = http::serve(http::ServiceBackend(service), options, {});
  ASSERT_TRUE(second.has_error());
  EXPECT_EQ(second.error().code, Errc::io);
  EXPECT_THAT(second.error().message(), HasSubstr("127.0.0.1:" + std::to_string(first.port())));
}

TEST(Serve, HostThatIsNoAddressIsAnError) {
  const TemporaryFolder folder;
  http::ServerOptions options;
  options.host = "no such host";
  const auto served = http::serve(http::ServiceBackend(open_service(folder.path())), options, {});
  ASSERT_TRUE(served.has_error());
  EXPECT_EQ(served.error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace akin::test
