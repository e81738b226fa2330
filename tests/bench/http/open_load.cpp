// Sends POST or GET requests at a fixed rate, whether answers come or not, and counts each one's time from
// the moment when it was due: a server that stalls is charged with all requests that it kept waiting. (Tene,
// "How not to measure latency": coordinated omission.) With a rate of 0 each connection asks again as soon as
// it is answered, which shows the largest rate.
//
//   open_load PORT TARGET RATE SECONDS CONNECTIONS [BODIES]
//
// BODIES is a file with a JSON object a line, taken in turns; without it the request is a GET. Requests of
// the first second are not counted. Prints a JSON object; exit 1 if a request was not answered by 200.

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kWarmUp{1};

/// The requests sent, when, and how long each took.
struct Load {
  tcp::endpoint server;
  std::vector<std::string> requests;
  double rate = 0;  ///< requests a second; 0 = as many as are answered
  Clock::time_point begin, end;
  std::size_t taken = 0;  ///< requests that a connection has made its own
  std::size_t failed = 0;
  std::vector<double> milliseconds;
};

std::vector<std::string> read_requests(const std::string& target, const char* file) {
  const std::string head = " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  if (file == nullptr) return {"GET" + head + "\r\n"};
  std::vector<std::string> requests;
  std::ifstream lines(file);
  for (std::string body; std::getline(lines, body);) {
    requests.push_back("POST" + head + "Content-Type: application/json\r\nContent-Length: " +
                       std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  return requests;
}

/// When request `number` is due.
Clock::time_point due(const Load& load, std::size_t number) {
  if (load.rate <= 0) return Clock::now();
  const std::chrono::duration<double> passed(static_cast<double>(number) / load.rate);
  return load.begin + std::chrono::duration_cast<Clock::duration>(passed);
}

/// One connection: takes the next request, waits until it is due, and has it answered. When all are busy, the
/// next request is sent late, and its time counts from when it was due.
asio::awaitable<void> ask(Load& load) {
  const auto executor = co_await asio::this_coro::executor;
  tcp::socket socket(executor);
  asio::steady_timer timer(executor);
  boost::beast::flat_buffer buffer;
  boost::system::error_code failure;
  std::tie(failure) = co_await socket.async_connect(load.server, kAsTuple);
  socket.set_option(tcp::no_delay(true), failure);
  while (!failure) {
    const std::size_t number = load.taken++;
    const auto moment = due(load, number);
    if (moment >= load.end) co_return;
    if (moment > Clock::now()) {
      timer.expires_at(moment);
      co_await timer.async_wait(kAsTuple);
    }
    std::size_t size = 0;
    std::tie(failure, size) = co_await asio::async_write(
        socket, asio::buffer(load.requests[number % load.requests.size()]), kAsTuple);
    http::response_parser<http::string_body> answer;
    answer.body_limit(boost::none);
    if (!failure) std::tie(failure, size) = co_await http::async_read(socket, buffer, answer, kAsTuple);
    if (failure || answer.get().result() != http::status::ok) ++load.failed;
    if (moment < load.begin + kWarmUp) continue;
    const std::chrono::duration<double, std::milli> took = Clock::now() - moment;
    load.milliseconds.push_back(took.count());
  }
  ++load.failed;
}

double at_share(const std::vector<double>& ordered, double share) {
  if (ordered.empty()) return 0;
  const auto place = static_cast<std::size_t>(share * static_cast<double>(ordered.size()));
  return ordered[std::min(place, ordered.size() - 1)];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6 && argc != 7) {
    std::fprintf(stderr, "open_load PORT TARGET RATE SECONDS CONNECTIONS [BODIES]\n");
    return 2;
  }
  Load load;
  load.server = {asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(std::atoi(argv[1]))};
  load.requests = read_requests(argv[2], argc == 7 ? argv[6] : nullptr);
  load.rate = std::atof(argv[3]);
  if (load.requests.empty()) {
    std::fprintf(stderr, "open_load: no requests\n");
    return 2;
  }
  asio::io_context context(1);
  load.begin = Clock::now();
  load.end = load.begin + kWarmUp + std::chrono::seconds(std::atoi(argv[4]));
  for (int connection = 0; connection < std::atoi(argv[5]); ++connection) {
    asio::co_spawn(context, ask(load), asio::detached);
  }
  context.run();
  const std::chrono::duration<double> counted = Clock::now() - load.begin - kWarmUp;
  std::ranges::sort(load.milliseconds);
  std::printf(
      "{\"answered\":%zu,\"failed\":%zu,\"rate\":%.1f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"p999_ms\":%.3f,"
      "\"max_ms\":%.3f}\n",
      load.milliseconds.size(), load.failed, static_cast<double>(load.milliseconds.size()) / counted.count(),
      at_share(load.milliseconds, 0.5), at_share(load.milliseconds, 0.99), at_share(load.milliseconds, 0.999),
      at_share(load.milliseconds, 1));
  return load.failed == 0 ? 0 : 1;
}
