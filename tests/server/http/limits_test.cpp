// The server as careless and hostile clients see it: limits, time-outs, malformed and smuggled requests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/api/blocking_catalog.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using ::testing::HasSubstr;

class HttpLimits : public HttpTest {
 protected:
  static http::ServerOptions little_body_memory() {
    auto options = quick_options();
    options.body_limit = 1000;
    options.body_memory = 1500;
    return options;
  }

  /// Sends `bytes` of a body's 1000.
  static void hold(HttpClient& client, std::size_t bytes) {
    client.send(
        "POST /v1/compare HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n"
        "Expect: 100-continue\r\n\r\n");
    EXPECT_EQ(client.receive()->status, 100);
    client.send(std::string(bytes, 'x'));
    std::this_thread::sleep_for(100ms);  // until it has arrived
  }
};

void expect_refusal(const std::optional<HttpAnswer>& answer, int status, const std::string& word) {
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, status) << answer->body;
  const auto error = api::Json::parse(answer->body, nullptr, false);
  ASSERT_TRUE(error.is_object()) << answer->body;
  EXPECT_TRUE(error.contains("code"));
  EXPECT_THAT(answer->body, HasSubstr(word));
}

TEST_F(HttpLimits, AnnouncedBodyOverTheLimitIsRefusedBeforeItIsSent) {
  auto options = quick_options();
  options.body_limit = 1000;
  start(options);
  HttpClient client(server_->port());
  client.send("POST /v1/compare HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n");
  expect_refusal(client.receive(), 413, "1000 bytes");
  client.finish_sending();
  EXPECT_TRUE(client.closed());
}

TEST_F(HttpLimits, ClientThatSendsTooMuchAllTheSameReadsWhy) {
  auto options = quick_options();
  options.body_limit = 1000;
  start(options);
  HttpClient client(server_->port());
  client.send(request("POST", "/v1/compare", kJson, std::string(3'000'000, 'x')));
  expect_refusal(client.receive(), 413, "1000 bytes");
}

TEST_F(HttpLimits, BodyOfExactlyTheLimitIsTaken) {
  auto options = quick_options();
  options.body_limit = 1000;
  start(options);
  EXPECT_EQ(connect().ask("POST", "/v1/compare", kText, std::string(1000, 'x'))->status, 415);
}

TEST_F(HttpLimits, ChunkedBodyIsRefusedWhereItPassesTheLimit) {
  auto options = quick_options();
  options.body_limit = 1000;
  start(options);
  HttpClient client(server_->port());
  client.send("POST /v1/compare HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int chunk = 0; chunk < 11; ++chunk) client.send("64\r\n" + std::string(100, 'x') + "\r\n");
  expect_refusal(client.receive(), 413, "1000 bytes");
}

TEST_F(HttpLimits, BodiesInMemoryTogetherAreBounded) {
  auto options = little_body_memory();
  options.busy_rate = 0;
  start(options);
  HttpClient holder(server_->port());
  hold(holder, 999);
  const auto refused = connect().ask("POST", "/v1/compare", kText, std::string(600, 'x'));
  expect_refusal(refused, 503, "busy");
  EXPECT_EQ(refused->header("retry-after"), "1");
  EXPECT_EQ(connect().ask("POST", "/v1/compare", kText, std::string(400, 'x'))->status, 415);
  holder.send("x");
  EXPECT_EQ(holder.receive()->status, 415);
  EXPECT_EQ(connect().ask("POST", "/v1/compare", kText, std::string(1000, 'x'))->status, 415);
}

TEST_F(HttpLimits, AnnouncedBodyTakesNoMemoryBeforeItArrives) {
  start(little_body_memory());
  HttpClient first(server_->port()), second(server_->port());
  hold(first, 0);
  hold(second, 0);
  EXPECT_EQ(connect().ask("POST", "/v1/compare", kText, std::string(1000, 'x'))->status, 415);
}

TEST_F(HttpLimits, ChunkedBodiesAreCountedAsTheyGrow) {
  auto options = little_body_memory();
  options.busy_rate = 0;
  start(options);
  HttpClient holder(server_->port());
  hold(holder, 999);
  HttpClient client(server_->port());
  client.send("POST /v1/compare HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int chunk = 0; chunk < 7; ++chunk) client.send("64\r\n" + std::string(100, 'x') + "\r\n");
  expect_refusal(client.receive(), 503, "busy");
}

TEST_F(HttpLimits, SlowBodyIsCutOffWhileAnotherWaitsForItsMemory) {
  start(little_body_memory());
  HttpClient holder(server_->port());
  hold(holder, 999);
  EXPECT_EQ(connect().ask("POST", "/v1/compare", kText, std::string(600, 'x'))->status, 415);
  expect_refusal(holder.receive(), 408, "while others waited");
}

TEST_F(HttpLimits, SlowBodyIsLeftAloneWhileNobodyWaits) {
  start(little_body_memory());
  HttpClient holder(server_->port());
  hold(holder, 999);
  std::this_thread::sleep_for(1500ms);
  EXPECT_EQ(connect().ask("POST", "/v1/compare", kText, std::string(400, 'x'))->status, 415);
  holder.send("x");
  EXPECT_EQ(holder.receive()->status, 415);
}

TEST_F(HttpLimits, LongHeaderIsRefused) {
  start();
  HttpClient client(server_->port());
  client.send("GET /livez HTTP/1.1\r\nHost: x\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n");
  expect_refusal(client.receive(), 431, "65536 bytes");
}

TEST_F(HttpLimits, ConnectionsOverTheLimitAreToldSo) {
  auto options = quick_options();
  options.max_connections = 2;
  start(options);
  HttpClient first(server_->port());
  HttpClient second(server_->port());
  ASSERT_EQ(first.ask("GET", "/livez")->status, 200);
  ASSERT_EQ(second.ask("GET", "/livez")->status, 200);
  HttpClient third(server_->port());
  const auto refused = third.receive();
  expect_refusal(refused, 503, "too many connections");
  EXPECT_EQ(refused->header("retry-after"), "1");
  EXPECT_EQ(first.ask("GET", "/livez")->status, 200);
}

TEST_F(HttpLimits, ConnectionsOfOneAddressAreBounded) {
  auto options = quick_options();
  options.max_connections_per_address = 1;
  start(options);
  {
    HttpClient first(server_->port());
    ASSERT_EQ(first.ask("GET", "/livez")->status, 200);
    HttpClient second(server_->port());
    expect_refusal(second.receive(), 503, "too many connections");
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    HttpClient third(server_->port());
    const auto answer = third.ask("GET", "/livez");
    if (answer && answer->status == 200) return;
    std::this_thread::sleep_for(20ms);
  }
  FAIL() << "the place was not given back";
}

TEST_F(HttpLimits, ConnectionsThatEndMakeRoom) {
  auto options = quick_options();
  options.max_connections = 1;
  start(options);
  for (int round = 0; round < 20; ++round) {
    HttpClient client(server_->port());
    client.send(request("GET", "/livez", {}, {}, "Connection: close\r\n"));
    ASSERT_EQ(client.receive()->status, 200) << round;
    ASSERT_TRUE(client.closed());
  }
}

TEST_F(HttpLimits, QueueOverItsLimitIsRefused) {
  const auto catalog = std::make_shared<BlockingCatalog>();
  service_.catalog = catalog;
  auto options = quick_options();
  options.max_queued = 1;
  start(options);
  HttpClient first(server_->port());
  first.send(request("GET", "/v1/collections"));
  catalog->await_listing();
  HttpClient second(server_->port());
  expect_refusal(second.ask("GET", "/v1/collections"), 503, "too many requests are waiting");
  EXPECT_EQ(second.ask("GET", "/livez")->status, 200) << "alive, and a refused client keeps its connection";
  catalog->let_list();
  EXPECT_EQ(first.receive()->status, 200);
  catalog->let_list();
  EXPECT_EQ(second.ask("GET", "/v1/collections")->status, 200);
}

TEST_F(HttpLimits, SilentConnectionIsClosed) {
  auto options = quick_options();
  options.idle_timeout = 100ms;
  start(options);
  HttpClient client(server_->port());
  EXPECT_TRUE(client.closed());
}

TEST_F(HttpLimits, SlowHeaderTimesOut) {
  auto options = quick_options();
  options.header_timeout = 100ms;
  start(options);
  HttpClient client(server_->port());
  client.send("GET /livez HT");
  expect_refusal(client.receive(), 408, "timed_out");
}

TEST_F(HttpLimits, HeaderSentByteByByteDoesNotExtendItsTime) {
  auto options = quick_options();
  options.header_timeout = 300ms;
  start(options);
  HttpClient client(server_->port());
  const auto began = std::chrono::steady_clock::now();
  client.send("GET /livez HTTP/1.1\r\n");
  for (int byte = 0; byte < 20; ++byte) {
    client.send("X");
    std::this_thread::sleep_for(20ms);
  }
  expect_refusal(client.receive(), 408, "timed_out");
  EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
}

TEST_F(HttpLimits, SlowBodyTimesOut) {
  auto options = quick_options();
  options.body_timeout = 100ms;
  start(options);
  HttpClient client(server_->port());
  client.send(
      "POST /v1/compare HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nabc");
  expect_refusal(client.receive(), 408, "timed_out");
}

TEST_F(HttpLimits, SlowReaderIsGivenUp) {
  auto options = quick_options();
  options.write_timeout = 200ms;
  options.max_connections = 1;
  start(options);
  {
    HttpClient client(server_->port());
    client.ask("PUT", "/v1/collections/c");
    client.ask("PUT", "/v1/collections/c/documents/a", kText, sentences(1, 300'000));
    client.send(request("GET", "/v1/collections/c/documents/a"));
    // Not reading: the answer's 15 MB fill the buffers of both sides, and the server must not wait for ever.
    for (int attempt = 0;; ++attempt) {
      ASSERT_LT(attempt, 600) << "the slow reader still holds the only connection";
      std::this_thread::sleep_for(100ms);
      HttpClient other(server_->port());
      const auto answer = other.ask("GET", "/livez");
      if (answer && answer->status == 200) break;
    }
  }
}

struct Malformed {
  std::string name;
  std::string bytes;
  int status;
  std::string word;

  friend std::ostream& operator<<(std::ostream& out, const Malformed& row) { return out << row.name; }
};

class HttpMalformed : public HttpTest, public ::testing::WithParamInterface<Malformed> {};

TEST_P(HttpMalformed, IsRefusedAndTheConnectionClosed) {
  start();
  HttpClient client(server_->port());
  client.send(GetParam().bytes);
  expect_refusal(client.receive(), GetParam().status, GetParam().word);
  client.finish_sending();
  EXPECT_TRUE(client.closed()) << "what follows a malformed request must not be read as another";
}

const std::string kPost = "POST /v1/compare HTTP/1.1\r\nHost: x\r\n";
const std::string kSmuggled = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";

INSTANTIATE_TEST_SUITE_P(
    All, HttpMalformed,
    ::testing::Values(
        Malformed{"NotHttp", "hello\r\n\r\n", 400, "HTTP request"},
        Malformed{"Tls", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"s, 400, "HTTP request"},
        Malformed{"BadVersion", "GET /livez HTTP/2.0\r\nHost: x\r\n\r\n", 400, "version"},
        Malformed{"BlankInTarget", "GET /li vez HTTP/1.1\r\nHost: x\r\n\r\n", 400, "HTTP request"},
        Malformed{"ControlCharacterInTarget", "GET /li\x01vez HTTP/1.1\r\nHost: x\r\n\r\n", 400,
                  "HTTP request"},
        Malformed{"BlankBeforeColon", "GET /livez HTTP/1.1\r\nHost : x\r\n\r\n", 400, "HTTP request"},
        Malformed{"BareLineFeed", "GET /livez HTTP/1.1\nHost: x\n\n\r\n\r\n", 400, "HTTP request"},
        Malformed{"NoHost", "GET /livez HTTP/1.1\r\n\r\n", 400, "Host"},
        Malformed{"TwoHosts", "GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, "Host"},
        Malformed{"LengthNotANumber", kPost + "Content-Length: abc\r\n\r\n", 400, "Content-Length"},
        Malformed{"NegativeLength", kPost + "Content-Length: -1\r\n\r\n", 400, "Content-Length"},
        Malformed{"TwoLengths", kPost + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", 400,
                  "Content-Length"},
        Malformed{"LengthThenChunked",
                  kPost + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + kSmuggled, 400,
                  "Transfer-Encoding"},
        Malformed{"ChunkedThenLength",
                  kPost + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + kSmuggled, 400,
                  "Content-Length"},
        Malformed{"UnknownCodingWithLength",
                  kPost + "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n\r\n" + kSmuggled, 400,
                  "Transfer-Encoding"},
        Malformed{"UnknownCoding", kPost + "Transfer-Encoding: gzip\r\n\r\n" + kSmuggled, 501, "chunked"},
        Malformed{"CodingBeforeChunked", kPost + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501,
                  "chunked"},
        Malformed{"ChunkedNotLast", kPost + "Transfer-Encoding: chunked, identity\r\n\r\n" + kSmuggled, 501,
                  "chunked"},
        Malformed{"ChunkedTwice",
                  kPost + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
                  "Transfer-Encoding"},
        Malformed{"ChunkedInHttp10",
                  "POST /v1/compare HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
                  "HTTP/1.0"},
        Malformed{"BadChunkSize", kPost + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n", 400, "chunk"},
        Malformed{"HugeChunkSize", kPost + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n\r\n", 400,
                  "chunk"},
        Malformed{"TwoContentTypes", kPost + "Content-Type: text/plain\r\nContent-Type: text/html\r\n\r\n",
                  400, "Content-Type"},
        Malformed{"SameLengthTwice", kPost + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400,
                  "Content-Length"},
        Malformed{"ListOfLengths", kPost + "Content-Length: 5, 6\r\n\r\nhello!", 400, "Content-Length"},
        Malformed{"PlusInLength", kPost + "Content-Length: +5\r\n\r\nhello", 400, "Content-Length"},
        Malformed{"HexInLength", kPost + "Content-Length: 0x5\r\n\r\nhello", 400, "Content-Length"},
        Malformed{"NegativeChunkSize", kPost + "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n", 400, "chunk"},
        Malformed{"HexPrefixInChunkSize", kPost + "Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
                  400, "chunk"},
        Malformed{"ChunkLongerThanItSays", kPost + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
                  400, "chunk"},
        Malformed{"BareLineFeedInChunk", kPost + "Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n", 400,
                  "chunk"},
        Malformed{"ChunkedInQuotes", kPost + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n", 501,
                  "chunked"},
        Malformed{"ChunkedInAList", kPost + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 501,
                  "chunked"},
        Malformed{"BareLineFeeds", "GET /livez HTTP/1.1\nHost: x\n\n", 400, "HTTP request"},
        Malformed{"NulInField", "GET /livez HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n"s, 400, "HTTP request"},
        Malformed{"BlankBeforeColonInOtherField", kPost + "Content-Length : 5\r\n\r\nhello", 400,
                  "HTTP request"},
        Malformed{"TabBeforeColon", kPost + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n", 400,
                  "HTTP request"},
        Malformed{"FoldedLine", kPost + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", 400, "fold"},
        Malformed{"BlankBeforeFirstField", "GET /livez HTTP/1.1\r\n Host: x\r\n\r\n", 400, "HTTP request"},
        Malformed{"ManyFields",
                  [] {
                    std::string bytes = "GET /livez HTTP/1.1\r\nHost: x\r\n";
                    for (int field = 0; field < 100; ++field) bytes += "A: b\r\n";
                    return bytes + "\r\n";
                  }(),
                  431, "100 fields"},
        Malformed{"UnknownExpectation", kPost + "Expect: miracles\r\nContent-Length: 1\r\n\r\nx", 417,
                  "100-continue"}),
    [](const auto& row) { return row.param.name; });

/// What a path must not reach: files beside what the API serves.
class HttpTraversal : public HttpTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(HttpTraversal, ReachesNothing) {
  start();
  for (const char* method : {"GET", "PUT", "DELETE"}) {
    HttpClient client(server_->port());
    const auto answer = client.ask(method, GetParam(), kText, method == std::string("PUT") ? "x" : "");
    ASSERT_TRUE(answer) << method;
    EXPECT_GE(answer->status, 400) << method;
    EXPECT_LT(answer->status, 500) << method;
    EXPECT_EQ(answer->body.find("root:"), std::string::npos) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(All, HttpTraversal,
                         ::testing::Values("/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                                           "//etc/passwd", "http://x/../../etc/passwd", "file:///etc/passwd",
                                           "/v1/collections/..", "/v1/collections/%2e%2e",
                                           "/v1/collections/..%2f..%2fetc", "/v1/collections/%2Fetc",
                                           "/v1/collections/../documents/passwd",
                                           "/v1/collections/%2e%2e/documents/..%2fpasswd",
                                           "/v1/collections/a%00b", "/v1/collections/.making-x",
                                           "/v1/tasks/..%2f..%2fetc%2fpasswd", "/v1/tasks/%2e%2e/result",
                                           "/livez/../v1/collections", "\\..\\etc\\passwd"));

TEST_F(HttpLimits, ClientThatVanishesMidwayLeavesTheServerWell) {
  start();
  const std::string whole = request("POST", "/v1/compare", kJson, R"({"a":"x","b":"y"})");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    HttpClient client(server_->port());
    client.send(whole.substr(0, length));
  }
  EXPECT_EQ(connect().ask("GET", "/livez")->status, 200);
}

}  // namespace
}  // namespace akin::test
