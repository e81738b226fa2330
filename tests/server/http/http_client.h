// A client that sends exactly the given bytes, and a server in a thread for it to talk to.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "server/http/server.h"
#include "server/http/service_backend.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// False when the connection is broken.
  bool send(std::string_view bytes) const;
  void finish_sending() const;
  [[nodiscard]] int descriptor() const { return socket_; }
  /// The next answer; nothing when the server closes, or sends nothing for 20 s. A body without a length ends
  /// when the server closes. `head`: the answer to a HEAD request.
  std::optional<HttpAnswer> receive(bool head = false);
  /// Status and fields of the next answer alone.
  std::optional<HttpAnswer> receive_head();
  /// The next chunk of a chunked answer, empty for the last; nothing when the server closes before.
  std::optional<std::string> receive_chunk();
  /// Sends a request with its Host and Content-Length fields, and receives the answer.
  std::optional<HttpAnswer> ask(std::string_view method, std::string_view target, std::string_view type = {},
                                std::string_view body = {});
  /// Whether the server has closed (waits for it for 20 s) and sent nothing more.
  bool closed();

 private:
  bool fill();
  std::optional<std::string> take(std::size_t length);
  int socket_;
  std::string received_;
  bool broken_ = false;  ///< not closed, but reset or silent
};

/// The request as `ask` sends it.
std::string request(std::string_view method, std::string_view target, std::string_view type = {},
                    std::string_view body = {}, std::string_view more_fields = {});

/// A running server; destroying it stops it and expects that serve() succeeded.
class RunningServer {
 public:
  RunningServer(std::shared_ptr<const http::Backend> backend, const http::ServerOptions& options);
  RunningServer(const api::Service& service, const http::ServerOptions& options)
      : RunningServer(std::make_shared<http::ServiceBackend>(service), options) {}
  ~RunningServer();
  [[nodiscard]] std::uint16_t port() const { return port_; }
  void request_stop() { thread_.request_stop(); }
  void join() { thread_.join(); }

 private:
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

class HttpTest : public ServiceTest {
 protected:
  static http::ServerOptions quick_options();
  void start(http::ServerOptions options = quick_options()) { server_.emplace(service_, options); }
  [[nodiscard]] HttpClient connect() const { return HttpClient(server_->port()); }

  std::optional<RunningServer> server_;
};

}  // namespace akin::test
