// Stopping: requests under way are finished, no new ones are begun, and nobody can hold the server up for
// ever.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/server/api/blocking_catalog.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class HttpDrain : public HttpTest {};

TEST_F(HttpDrain, WithoutConnectionsStopsAtOnce) {
  start();
  const auto began = Clock::now();
  server_.reset();
  EXPECT_LT(Clock::now() - began, 5s);
}

TEST_F(HttpDrain, IdleConnectionsAreClosed) {
  start();
  HttpClient used(server_->port());
  ASSERT_EQ(used.ask("GET", "/livez")->status, 200);
  HttpClient unused(server_->port());
  const auto began = Clock::now();
  server_->request_stop();
  EXPECT_TRUE(used.closed());
  server_->join();
  EXPECT_LT(Clock::now() - began, 5s);
}

TEST_F(HttpDrain, RequestUnderWayGetsItsAnswer) {
  start();
  service_.catalog->create("c", kDefaultScheme).value();
  HttpClient client(server_->port());
  const std::string text = sentences(1, 10);
  const std::string whole = request("PUT", "/v1/collections/c/documents/a", kText, text);
  client.send(whole.substr(0, whole.size() / 2));
  // An answer on another connection shows that the server's one I/O thread has seen the half before it.
  ASSERT_EQ(connect().ask("GET", "/livez")->status, 200);
  server_->request_stop();
  EXPECT_THROW(for (const auto begin = Clock::now(); Clock::now() - begin < 5s;
                    std::this_thread::sleep_for(1ms)) connect(),
               std::runtime_error)
      << "no new connections";
  client.send(whole.substr(whole.size() / 2));
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->header("connection"), "close");
  server_->join();
  EXPECT_EQ(call("GET", "/v1/collections/c/documents/a").status, 200);
}

TEST_F(HttpDrain, EndsAfterItsTimeWhateverClientsDo) {
  auto options = quick_options();
  options.drain_timeout = 200ms;
  start(options);
  HttpClient client(server_->port());
  client.send("POST /v1/compare HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  ASSERT_EQ(connect().ask("GET", "/livez")->status, 200);
  const auto began = Clock::now();
  server_->request_stop();
  server_->join();
  EXPECT_LT(Clock::now() - began, 5s);
  EXPECT_FALSE(client.receive());
}

/// A worker cannot be stopped midway: what it has begun is finished, what only waits for it is dropped.
TEST_F(HttpDrain, EndsAfterItsTimeWithRequestsQueued) {
  const auto catalog = std::make_shared<BlockingCatalog>();
  service_.catalog = catalog;
  auto options = quick_options();
  options.drain_timeout = 50ms;
  options.workers = 1;
  start(options);
  std::list<HttpClient> clients;
  for (int count = 0; count < 5; ++count)
    clients.emplace_back(server_->port()).send(request("GET", "/v1/collections"));
  catalog->await_listing();
  ASSERT_EQ(connect().ask("GET", "/livez")->status, 200);
  server_->request_stop();
  std::this_thread::sleep_for(200ms);
  for (std::size_t count = 0; count < clients.size(); ++count) catalog->let_list();
  server_->join();
}

class HttpSignal : public HttpTest, public ::testing::WithParamInterface<int> {};

TEST_P(HttpSignal, StopsTheServer) {
  start();
  ASSERT_EQ(connect().ask("GET", "/livez")->status, 200);
  std::raise(GetParam());
  server_->join();
}

INSTANTIATE_TEST_SUITE_P(All, HttpSignal, ::testing::Values(SIGTERM, SIGINT));

}  // namespace
}  // namespace akin::test
