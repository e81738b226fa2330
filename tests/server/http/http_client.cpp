#include "tests/server/http/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <utility>

namespace akin::test {

namespace {

constexpr time_t kPatience =
    60;  // seconds: ThreadSanitizer on a busy machine takes half of them for a large text

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

HttpClient::HttpClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval patience{.tv_sec = kPatience, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket_);
    throw std::runtime_error("cannot connect");
  }
}

HttpClient::~HttpClient() { ::close(socket_); }

bool HttpClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void HttpClient::finish_sending() const { ::shutdown(socket_, SHUT_WR); }

bool HttpClient::fill() {
  std::array<char, 65536> buffer;
  const auto got = ::recv(socket_, buffer.data(), buffer.size(), 0);
  broken_ = got < 0;
  if (got <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

std::optional<std::string> HttpClient::take(std::size_t length) {
  while (received_.size() < length) {
    if (!fill()) return std::nullopt;
  }
  std::string taken = received_.substr(0, length);
  received_.erase(0, length);
  return taken;
}

std::optional<HttpAnswer> HttpClient::receive_head() {
  while (received_.find("\r\n\r\n") == std::string::npos) {
    if (!fill()) return std::nullopt;
  }
  const auto head_end = received_.find("\r\n\r\n");
  HttpAnswer answer;
  answer.status = std::stoi(received_.substr(received_.find(' ') + 1));
  for (auto at = received_.find("\r\n") + 2; at < head_end + 2;) {
    const auto end = received_.find("\r\n", at);
    const auto colon = received_.find(": ", at);
    answer.headers[lower(received_.substr(at, colon - at))] = received_.substr(colon + 2, end - colon - 2);
    at = end + 2;
  }
  received_.erase(0, head_end + 4);
  return answer;
}

std::optional<std::string> HttpClient::receive_chunk() {
  while (received_.find("\r\n") == std::string::npos) {
    if (!fill()) return std::nullopt;
  }
  const auto length = std::stoul(received_, nullptr, 16);
  received_.erase(0, received_.find("\r\n") + 2);
  auto chunk = take(length + 2);
  if (chunk) chunk->resize(length);
  return chunk;
}

std::optional<HttpAnswer> HttpClient::receive(bool head) {
  auto answer = receive_head();
  if (!answer || head) return answer;
  if (answer->header("transfer-encoding") == "chunked") {
    while (true) {
      const auto chunk = receive_chunk();
      if (!chunk) return std::nullopt;
      if (chunk->empty()) return answer;
      answer->body += *chunk;
    }
  }
  const auto length = answer->header("content-length");
  if (length.empty() && answer->header("connection") == "close") {
    while (fill()) continue;
    if (broken_) return std::nullopt;
    answer->body = std::exchange(received_, {});
    return answer;
  }
  auto body = take(length.empty() ? 0 : std::stoul(length));
  if (!body) return std::nullopt;
  answer->body = *std::move(body);
  return answer;
}

std::optional<HttpAnswer> HttpClient::ask(std::string_view method, std::string_view target,
                                          std::string_view type, std::string_view body) {
  if (!send(request(method, target, type, body))) return std::nullopt;
  return receive(method == "HEAD");
}

bool HttpClient::closed() {
  char byte = 0;
  return received_.empty() && ::recv(socket_, &byte, 1, 0) == 0;
}

std::string request(std::string_view method, std::string_view target, std::string_view type,
                    std::string_view body, std::string_view more_fields) {
  std::string text = std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
  if (!type.empty()) text += "Content-Type: " + std::string(type) + "\r\n";
  if (!body.empty() || !type.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + std::string(more_fields) + "\r\n" + std::string(body);
}

RunningServer::RunningServer(std::shared_ptr<const http::Backend> backend,
                             const http::ServerOptions& options) {
  const auto listening = std::make_shared<std::promise<std::uint16_t>>();
  // The thread's own: the caller's backend and options may be gone before the server is.
  thread_ = std::jthread([listening, backend = std::move(backend), options](const std::stop_token& stop) {
    const auto served = http::serve(
        *backend, options, [&](const http::Listening& at) { listening->set_value(at.port); }, stop);
    if (served.has_value()) return;
    ADD_FAILURE() << served.error().message();
    std::exit(EXIT_FAILURE);  // the test waits for a port that will not come
  });
  port_ = listening->get_future().get();
}

RunningServer::~RunningServer() = default;

http::ServerOptions HttpTest::quick_options() {
  static const bool quiet = [] {
    spdlog::set_level(spdlog::level::off);
    return true;
  }();
  http::ServerOptions options;
  options.port = 0;
  options.workers = quiet ? 2 : 0;
  options.body_first = std::chrono::milliseconds(50);
  return options;
}

}  // namespace akin::test
