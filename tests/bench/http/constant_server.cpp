// The least that an HTTP server by Beast can do: reads a request, answers a constant. What akin's own server
// is measured beside.
//
//   constant_server THREADS    listens on a free port of 127.0.0.1, which it prints

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

asio::awaitable<void> serve(tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  boost::beast::flat_buffer buffer;
  while (true) {
    http::request<http::string_body> request;
    auto [failed, read] = co_await http::async_read(socket, buffer, request, kAsTuple);
    if (failed) co_return;
    http::response<http::string_body> answer(http::status::ok, request.version());
    answer.set(http::field::server, "constant");
    answer.set(http::field::content_type, "application/json; charset=utf-8");
    answer.keep_alive(request.keep_alive());
    answer.body() = "{\"status\":\"alive\"}\n";
    answer.prepare_payload();
    auto [broken, written] = co_await http::async_write(socket, answer, kAsTuple);
    if (broken || !request.keep_alive()) co_return;
  }
}

asio::awaitable<void> accept(tcp::acceptor& acceptor, std::deque<asio::io_context>& contexts) {
  for (std::size_t turn = 0;; ++turn) {
    asio::io_context& context = contexts[turn % contexts.size()];
    auto [failed, socket] = co_await acceptor.async_accept(context, kAsTuple);
    if (failed) continue;
    asio::co_spawn(context, serve(std::move(socket)), asio::detached);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto threads = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 1);
  std::deque<asio::io_context> contexts;
  for (std::size_t thread = 0; thread < threads; ++thread) contexts.emplace_back(1);
  tcp::acceptor acceptor(contexts.front(), tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  std::printf("%u\n", static_cast<unsigned>(acceptor.local_endpoint().port()));
  std::fflush(stdout);
  asio::co_spawn(contexts.front(), accept(acceptor, contexts), asio::detached);
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) {
    others.emplace_back([&context = contexts[thread]] {
      const auto work = asio::make_work_guard(context);
      context.run();
    });
  }
  contexts.front().run();
}
