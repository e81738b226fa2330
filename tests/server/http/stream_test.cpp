// Requests worked on while they arrive: both directions at once, bounded, and ended in a defined way.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>

#include "tests/server/http/fake_backend.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::string_view kHead = "POST /stream HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string chunk(std::string_view bytes) {
  std::array<char, 24> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  return size.data() + std::string(bytes) + "\r\n";
}

/// Answers with what it reads; ends with the error's name when reading fails.
std::optional<api::Response> echo(const api::Request&, api::BodySource& body, api::AnswerSink& sink) {
  if (sink.begin({}).has_error()) return std::nullopt;
  std::array<char, 4096> bytes;
  while (true) {
    const auto got = body.read(bytes);
    const auto told =
        got.has_value() ? sink.write({bytes.data(), *got}) : sink.write(error_name(got.error().code));
    if (got.has_error() || *got == 0 || told.has_error()) return std::nullopt;
  }
}

class HttpStream : public HttpTest {
 protected:
  void serve_stream(FakeBackend::Stream stream, http::ServerOptions options = quick_options()) {
    fake_->stream = std::move(stream);
    server_.emplace(fake_, options);
  }

  static http::ServerOptions patient_options() {
    http::ServerOptions options = quick_options();
    options.body_first = 10s;
    return options;
  }

  const std::shared_ptr<FakeBackend> fake_ = std::make_shared<FakeBackend>();
};

TEST_F(HttpStream, AnswersWhileTheBodyStillArrives) {
  serve_stream(echo);
  HttpClient client(server_->port());
  client.send(kHead);
  ASSERT_EQ(client.receive_head()->header("transfer-encoding"), "chunked");
  for (const char* piece : {"one", "two", "three"}) {
    client.send(chunk(piece));
    EXPECT_EQ(client.receive_chunk(), piece);
  }
  client.send("0\r\n\r\n");
  EXPECT_EQ(client.receive_chunk(), "");
}

// Proxies written in Go give up a request that is answered earlier.
TEST_F(HttpStream, AnswerToAShortBodyBeginsWhenItHasArrived) {
  serve_stream(echo, patient_options());
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk("one"));
  pollfd answer{.fd = client.descriptor(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&answer, 1, 200), 0);
  client.send(chunk("two") + "0\r\n\r\n");
  EXPECT_EQ(client.receive()->body, "onetwo");
}

TEST_F(HttpStream, AnswerThatFillsItsBufferBeginsWhileTheBodyArrives) {
  serve_stream(echo, patient_options());
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk(std::string(1U << 20U, 'x')));
  ASSERT_EQ(client.receive_head()->status, 200);
  client.send("0\r\n\r\n");
}

TEST_F(HttpStream, ConnectionServesOn) {
  serve_stream(echo);
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk("x") + "0\r\n\r\n" + request("GET", "/"));
  EXPECT_EQ(client.receive()->body, "x");
  EXPECT_EQ(client.receive()->body, "{}\n");
}

TEST_F(HttpStream, BodyWithALengthIsReadToItsEnd) {
  serve_stream(echo);
  const std::string body(3'000'000, 'x');
  HttpClient client(server_->port());
  std::jthread sender([&] { client.send(request("POST", "/stream", kText, body)); });
  EXPECT_EQ(client.receive()->body, body);
}

TEST_F(HttpStream, ContinueIsSentBeforeTheBody) {
  serve_stream(echo);
  HttpClient client(server_->port());
  client.send("POST /stream HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive_head()->status, 100);
  client.send("abc");
  EXPECT_EQ(client.receive()->body, "abc");
}

TEST_F(HttpStream, AnswerThatWasNotBegunIsOrdinary) {
  serve_stream([](const api::Request&, api::BodySource&, api::AnswerSink&) {
    return api::Response{.status = 404, .headers = {}, .body = "none\n"};
  });
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk("unread"));
  const auto answer = client.receive();
  EXPECT_EQ(answer->status, 404);
  EXPECT_EQ(answer->header("content-length"), "5");
  client.finish_sending();
  EXPECT_TRUE(client.closed());
}

TEST_F(HttpStream, ErrorAfterTheBeginningCutsTheAnswerOff) {
  serve_stream([](const api::Request&, api::BodySource&, api::AnswerSink& sink) {
    EXPECT_FALSE(sink.begin({}).has_error());
    EXPECT_FALSE(sink.write("half").has_error());
    return api::Response{.status = 500, .headers = {}, .body = {}};
  });
  HttpClient client(server_->port());
  client.send(std::string(kHead) + "0\r\n\r\n");
  ASSERT_EQ(client.receive_head()->status, 200);
  EXPECT_EQ(client.receive_chunk(), "half");
  EXPECT_EQ(client.receive_chunk(), std::nullopt);
}

TEST_F(HttpStream, OneTooManyIsToldToComeBack) {
  auto options = quick_options();
  options.max_streams = 1;
  options.busy_rate = 0;
  serve_stream(echo, options);
  HttpClient first(server_->port());
  first.send(kHead);
  ASSERT_TRUE(first.receive_head());
  HttpClient second(server_->port());
  second.send(kHead);
  const auto refused = second.receive();
  EXPECT_EQ(refused->status, 503);
  EXPECT_EQ(refused->header("retry-after"), "1");
  first.send("0\r\n\r\n");
  EXPECT_EQ(first.receive_chunk(), "");
}

TEST_F(HttpStream, SlowOneIsCutOffWhileAnotherWaits) {
  auto options = quick_options();
  options.max_streams = 1;
  serve_stream(echo, options);
  HttpClient first(server_->port());
  first.send(kHead);
  ASSERT_TRUE(first.receive_head());
  HttpClient second(server_->port());
  second.send(std::string(kHead) + "0\r\n\r\n");
  EXPECT_EQ(second.receive()->status, 200);
  EXPECT_EQ(first.receive_chunk(), std::nullopt) << "the answer must not look complete";
}

TEST_F(HttpStream, OneWhoseHandlerWorksIsNotSlow) {
  auto options = quick_options();
  options.max_streams = 1;
  serve_stream(
      [](const api::Request& head, api::BodySource& body, api::AnswerSink& sink) {
        std::this_thread::sleep_for(1500ms);
        return echo(head, body, sink);
      },
      options);
  HttpClient first(server_->port());
  first.send(std::string(kHead) + "0\r\n\r\n");
  HttpClient second(server_->port());
  second.send(std::string(kHead) + "0\r\n\r\n");
  EXPECT_EQ(first.receive()->status, 200);
  EXPECT_EQ(second.receive()->status, 200);
}

TEST_F(HttpStream, StreamsLeaveTheWorkersFree) {
  auto options = quick_options();
  options.workers = 1;
  options.max_streams = 3;
  serve_stream(echo, options);
  HttpClient first(server_->port()), second(server_->port()), third(server_->port());
  for (HttpClient* client : {&first, &second, &third}) {
    client->send(kHead);
    ASSERT_TRUE(client->receive_head());
  }
  EXPECT_EQ(connect().ask("GET", "/worker")->status, 200);
}

TEST_F(HttpStream, ClientIsNotReadFasterThanTheHandlerReads) {
  std::binary_semaphore go(0);
  serve_stream([&](const api::Request& head, api::BodySource& body, api::AnswerSink& sink) {
    go.acquire();
    return echo(head, body, sink);
  });
  HttpClient client(server_->port());
  client.send(kHead);
  const std::string piece = chunk(std::string(1 << 20, 'x'));
  std::atomic<int> sent = 0;
  std::jthread sender([&] {
    for (; sent < 64; ++sent) client.send(piece);
    client.send("0\r\n\r\n");
  });
  std::this_thread::sleep_for(300ms);
  EXPECT_LT(sent, 40) << "more than the sockets and the server's MiB hold was taken";
  go.release();
  EXPECT_EQ(client.receive()->body.size(), std::size_t{64} << 20);
}

TEST_F(HttpStream, ClientMaySendAllBeforeItReads) {
  serve_stream(echo);
  HttpClient client(server_->port());
  client.send(kHead);
  const std::string piece = chunk(std::string(1 << 20, 'x'));
  for (int sent = 0; sent < 40; ++sent) client.send(piece);
  client.send("0\r\n\r\n");
  EXPECT_EQ(client.receive()->body.size(), std::size_t{40} << 20);
}

TEST_F(HttpStream, HandlerWaitsForAClientThatDoesNotRead) {
  std::atomic<int> written = 0;
  auto options = quick_options();
  options.write_timeout = 300ms;
  std::promise<Errc> ended;
  serve_stream(
      [&](const api::Request&, api::BodySource&, api::AnswerSink& sink) -> std::optional<api::Response> {
        EXPECT_FALSE(sink.begin({}).has_error());
        const std::string piece(1 << 20, 'x');
        while (true) {
          const auto result = sink.write(piece);
          if (result.has_error()) {
            ended.set_value(result.error().code);
            return std::nullopt;
          }
          ++written;
        }
      },
      options);
  HttpClient client(server_->port());
  client.send(std::string(kHead) + "0\r\n\r\n");
  EXPECT_EQ(ended.get_future().get(), Errc::timed_out);
  EXPECT_LT(written, 40);
}

TEST_F(HttpStream, ClientThatSendsNothingIsTimedOutAndTold) {
  auto options = quick_options();
  options.body_timeout = 100ms;
  serve_stream(echo, options);
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk("abc"));
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "abctimed_out");
}

TEST_F(HttpStream, BodyOverTheLimitIsAnError) {
  auto options = quick_options();
  options.stream_limit = 1000;
  serve_stream(echo, options);
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk(std::string(1001, 'x')));
  EXPECT_THAT(client.receive()->body, HasSubstr("too_large"));
}

TEST_F(HttpStream, VanishedClientIsToldToTheHandler) {
  std::promise<Errc> ended;
  serve_stream(
      [&](const api::Request&, api::BodySource& body, api::AnswerSink&) -> std::optional<api::Response> {
        std::array<char, 100> bytes;
        while (true) {
          const auto got = body.read(bytes);
          if (got.has_value() && *got > 0) continue;
          ended.set_value(got.has_error() ? got.error().code : Errc::internal);
          return std::nullopt;
        }
      });
  { HttpClient(server_->port()).send(std::string(kHead) + chunk("abc")); }
  EXPECT_EQ(ended.get_future().get(), Errc::io);
}

TEST_F(HttpStream, BrokenChunkIsAnError) {
  serve_stream(echo);
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk("abc") + "zzz\r\n");
  EXPECT_EQ(client.receive()->body, "abcinvalid_argument");
}

TEST_F(HttpStream, DrainEndsTheBodyAndLetsTheAnswerBeFinished) {
  serve_stream(echo);
  HttpClient client(server_->port());
  client.send(std::string(kHead) + chunk("abc"));
  ASSERT_TRUE(client.receive_head());
  ASSERT_EQ(client.receive_chunk(), "abc");
  server_->request_stop();
  EXPECT_EQ(client.receive_chunk(), "busy");
  EXPECT_EQ(client.receive_chunk(), "");
  client.finish_sending();
  server_->join();
}

TEST_F(HttpStream, DrainEndsAfterItsTimeWithAHandlerThatWaitsForTheClient) {
  auto options = quick_options();
  options.drain_timeout = 200ms;
  serve_stream(
      [](const api::Request&, api::BodySource&, api::AnswerSink& sink) -> std::optional<api::Response> {
        EXPECT_FALSE(sink.begin({}).has_error());
        const std::string piece(1 << 20, 'x');
        while (!sink.write(piece).has_error()) continue;
        return std::nullopt;
      },
      options);
  HttpClient client(server_->port());
  client.send(std::string(kHead) + "0\r\n\r\n");
  ASSERT_TRUE(client.receive_head());
  server_->request_stop();
  server_->join();
}

}  // namespace
}  // namespace akin::test
