// The only file that sees Beast.
#include "server/http/session.h"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "server/api/message.h"
#include "server/http/date.h"
#include "server/http/log.h"
#include "server/http/watchdog.h"

namespace akin::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using tcp = asio::ip::tcp;
using Parser = beast::http::request_parser<beast::http::string_body>;
using beast::http::field;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kReadBytes = std::size_t{64} << 10U;
constexpr std::size_t kMinBytesPerSecond = std::size_t{16} << 10U;
constexpr auto kLinger = std::chrono::seconds(2);

/// The deadline of a transfer's next step. It ends a transfer that stands still for `allowed`, and one that
/// has had `allowed` and is slower than kMinBytesPerSecond; it spares the large.
Clock::time_point deadline(Clock::time_point start, std::chrono::milliseconds allowed, std::size_t bytes) {
  const auto earned = std::chrono::milliseconds(bytes * 1000 / kMinBytesPerSecond);
  return std::min(Clock::now(), start + earned) + allowed;
}

/// Why a request was not read. Without an answer the client is gone, and the connection is closed in silence.
struct Refusal {
  std::optional<api::Response> answer;
};

Refusal refuse(const Error& error) { return Refusal{api::error_response(error)}; }
Refusal refuse(const Error& error, int status) { return Refusal{api::error_response(error, status)}; }

Refusal bad_request(std::string reason) {
  return refuse(
      Error{Errc::invalid_argument, "HTTP request", std::move(reason), "send HTTP/1.1 as RFC 9112 has it"});
}

Refusal body_too_large(const ServerOptions& options) {
  return refuse(Error{Errc::too_large, "body of the request",
                      "is over the limit of " + std::to_string(options.body_limit) + " bytes",
                      "send less, or have the server's body limit raised"});
}

/// What a failed read means for the client.
Refusal refusal_of(const error_code& failure, bool expired, const ServerOptions& options) {
  using E = beast::http::error;
  if (expired) {
    return refuse(
        Error{Errc::timed_out, "HTTP request", "did not arrive in the time allowed", "send it faster"});
  }
  if (failure == E::body_limit) return body_too_large(options);
  if (failure == E::header_limit || failure == E::buffer_overflow) {
    return refuse(Error{Errc::too_large, "header of the request",
                        "is over the limit of " + std::to_string(options.header_limit) + " bytes",
                        "shorten the path, the query or the header fields"},
                  431);
  }
  const bool gone = failure == E::end_of_stream || failure == E::partial_message;
  if (!gone && failure.category() == make_error_code(E::bad_method).category())
    return bad_request(failure.message());
  return {};
}

/// Rules of RFC 9112 and 9110 that the parser leaves to its user. What frames the body in two ways, or in one
/// that this server does not know, is how requests are smuggled past a proxy.
std::optional<Refusal> check_header(const Parser::value_type& request) {
  if (request.version() == 11 && request.count(field::host) != 1) {
    return bad_request("HTTP/1.1 needs exactly one Host field");
  }
  if (request.count(field::transfer_encoding) > 0) {
    if (request.version() < 11) return bad_request("Transfer-Encoding in HTTP/1.0");
    if (request.count(field::content_length) > 0)
      return bad_request("both Transfer-Encoding and Content-Length");
    if (!beast::iequals(request[field::transfer_encoding], "chunked")) {
      return refuse(Error{Errc::unsupported, "transfer encoding of the body", "only 'chunked' is taken",
                          "send the body plain or chunked"},
                    501);
    }
  }
  if (request.count(field::content_type) > 1) return bad_request("more than one Content-Type field");
  const auto coding = request[field::content_encoding];
  if (!coding.empty() && !beast::iequals(coding, "identity")) {
    return refuse(Error{Errc::unsupported, "content encoding of the body", "compressed bodies are not taken",
                        "send the body as it is"});
  }
  const auto expect = request[field::expect];
  if (!expect.empty() && !beast::iequals(expect, "100-continue")) {
    return refuse(Error{Errc::unsupported, "field Expect", "only '100-continue' is known", "leave it out"},
                  417);
  }
  return std::nullopt;
}

/// Reads what the client still sends and drops it: closing with unread bytes would reset the connection, and
/// the client might never see the answer.
asio::awaitable<void> linger(tcp::socket& socket, Watchdog& watchdog) {
  error_code failure;
  socket.shutdown(tcp::socket::shutdown_send, failure);
  watchdog.watch_until(Clock::now() + kLinger);
  std::array<char, kReadBytes> dropped;
  while (!failure && !watchdog.expired()) {
    std::tie(failure, std::ignore) = co_await socket.async_read_some(asio::buffer(dropped), kAsTuple);
  }
}

class Session {
 public:
  Session(tcp::socket socket, Shared& shared)
      : shared_(shared), socket_(std::move(socket)), watchdog_(socket_) {
    entry_.socket = &socket_;
    shared_.open.insert(&entry_);
  }
  ~Session() { shared_.open.erase(&entry_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  asio::awaitable<void> run() {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    bool open = true;
    while (open && !shared_.draining) {
      if (buffer_.size() == 0) open = co_await await_request();
      if (open) open = co_await exchange();
      entry_.idle = true;
    }
    watchdog_.release();
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
  }

 private:
  /// Waits for the first bytes of a request; false when none come.
  asio::awaitable<bool> await_request() {
    watchdog_.watch_until(Clock::now() + shared_.options.idle_timeout);
    auto [failure, bytes] = co_await socket_.async_read_some(buffer_.prepare(kReadBytes), kAsTuple);
    if (!failure) buffer_.commit(bytes);
    co_return !failure;
  }

  /// One request and its answer; true when the connection may serve another.
  asio::awaitable<bool> exchange() {
    entry_.idle = false;
    const auto start = Clock::now();
    Parser parser;
    Lease body_memory(shared_.body_memory);
    std::optional<Refusal> refusal = co_await read_header(parser);
    if (!refusal) refusal = co_await read_body(parser, body_memory);
    watchdog_.release();
    const auto& head = parser.get();
    const bool is_head = head.method() == beast::http::verb::head;
    // HTTP/1.0 keeps connections open by a field that is not sent here.
    const bool keep_open = !refusal && head.version() == 11 && head.keep_alive();
    if (refusal && !refusal->answer) co_return false;

    api::Request request;
    request.method = std::string(head.method_string());
    request.target = std::string(head.target());
    request.content_type = std::string(head[field::content_type]);
    request.body = std::move(parser.get().body());
    api::Response response;
    if (refusal) {
      response = *std::move(refusal->answer);
    } else {
      response = co_await answer(request);
    }
    AccessEntry entry{.method = request.method,
                      .target = request.target,
                      .status = response.status,
                      .bytes_in = request.body.size(),
                      .bytes_out = response.body.size()};
    const bool stays_open = keep_open && !shared_.draining;
    const bool sent = co_await send(std::move(response), is_head, stays_open);
    const bool serves_on = sent && stays_open;
    entry.duration = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    log_access(entry);
    if (sent && refusal) co_await linger(socket_, watchdog_);
    co_return serves_on;
  }

  asio::awaitable<std::optional<Refusal>> read_header(Parser& parser) {
    parser.header_limit(static_cast<std::uint32_t>(shared_.options.header_limit));
    parser.body_limit(shared_.options.body_limit);
    watchdog_.watch_until(Clock::now() + shared_.options.header_timeout);
    auto [failure, bytes] = co_await beast::http::async_read_header(socket_, buffer_, parser, kAsTuple);
    if (failure) co_return refusal_of(failure, watchdog_.expired(), shared_.options);
    co_return check_header(parser.get());
  }

  asio::awaitable<std::optional<Refusal>> read_body(Parser& parser, Lease& memory) {
    if (parser.is_done()) co_return std::nullopt;
    const auto length = parser.content_length();
    if (length && !memory.take(static_cast<std::size_t>(*length))) co_return no_memory();
    if (!parser.get()[field::expect].empty()) {
      static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      auto [failure, bytes] = co_await asio::async_write(socket_, asio::buffer(kContinue), kAsTuple);
      if (failure) co_return Refusal{};
    }
    const auto start = Clock::now();
    std::size_t received = 0;
    while (!parser.is_done()) {
      watchdog_.watch_until(deadline(start, shared_.options.body_timeout, received));
      auto [failure, bytes] = co_await beast::http::async_read_some(socket_, buffer_, parser, kAsTuple);
      if (failure) co_return refusal_of(failure, watchdog_.expired(), shared_.options);
      received += bytes;
      // A chunked body does not say how long it will be: its memory is leased as it grows.
      const std::size_t grown = parser.get().body().capacity();
      if (!length && grown > memory.held() && !memory.take(grown - memory.held())) co_return no_memory();
    }
    co_return std::nullopt;
  }

  static Refusal no_memory() {
    return refuse(Error{Errc::busy, "server", "the bodies being worked on fill the memory set aside for them",
                        "try again in a moment"});
  }

  /// Runs the handler, on a worker if it may take time. `request` must live until this completes.
  asio::awaitable<api::Response> answer(const api::Request& request) {
    if (api::delivery(request) == api::Delivery::at_once) co_return api::handle(shared_.service, request);
    Lease place(shared_.queue);
    if (!place.take(1)) {
      co_return api::error_response(
          Error{Errc::busy, "server", "too many requests wait to be worked on", "try again in a moment"});
    }
    const api::Service& service = shared_.service;
    auto handler = [&service, &request]() -> asio::awaitable<api::Response> {
      co_return api::handle(service, request);
    };
    co_return co_await asio::co_spawn(shared_.workers->get_executor(), std::move(handler),
                                      asio::use_awaitable);
  }

  /// True when all of it went out.
  asio::awaitable<bool> send(api::Response response, bool head_only, bool keep_open) {
    const auto size = response.body.size();
    beast::http::response<beast::http::string_body> message;
    message.version(11);
    message.result(static_cast<unsigned>(response.status));
    message.set(field::server, "akin");
    message.set(field::date, http_date(std::chrono::system_clock::now()));
    message.set(field::content_type, api::kJsonType);
    message.set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : response.headers) message.set(name, value);
    message.body() = std::move(response.body);
    message.content_length(size);
    message.keep_alive(keep_open);

    beast::http::response_serializer<beast::http::string_body> serializer(message);
    serializer.split(head_only);
    const auto start = Clock::now();
    std::size_t sent = 0;
    while (head_only ? !serializer.is_header_done() : !serializer.is_done()) {
      watchdog_.watch_until(deadline(start, shared_.options.write_timeout, sent));
      auto [failure, bytes] = co_await beast::http::async_write_some(socket_, serializer, kAsTuple);
      if (failure) co_return false;
      sent += bytes;
    }
    watchdog_.release();
    co_return true;
  }

  Shared& shared_;
  tcp::socket socket_;
  Watchdog watchdog_;
  beast::flat_buffer buffer_{2 * kReadBytes + shared_.options.header_limit};
  Connection entry_;
};

}  // namespace

asio::awaitable<void> run_session(tcp::socket socket, Shared& shared, [[maybe_unused]] Lease lease) {
  Session session(std::move(socket), shared);
  co_await session.run();
}

asio::awaitable<void> refuse_connection(tcp::socket socket, [[maybe_unused]] Lease lease) {
  const auto response = api::error_response(Error{Errc::busy, "server", "too many connections",
                                                  "try again in a moment, or keep one connection open"});
  const std::string message =
      "HTTP/1.1 503 Service Unavailable\r\nServer: akin\r\nConnection: close\r\nRetry-After: "
      "1\r\nContent-Type: " +
      std::string(api::kJsonType) + "\r\nContent-Length: " + std::to_string(response.body.size()) +
      "\r\n\r\n" + response.body;
  Watchdog watchdog(socket);
  watchdog.watch_until(Clock::now() + kLinger);
  auto [failure, bytes] = co_await asio::async_write(socket, asio::buffer(message), kAsTuple);
  if (!failure) co_await linger(socket, watchdog);
}

}  // namespace akin::http
