#include "server/http/channel.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <string>
#include <tuple>

namespace akin::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

constexpr std::size_t kHeadBytes = std::size_t{4} << 10U;  ///< an idle connection holds no more
constexpr std::size_t kReadBytes = std::size_t{64} << 10U;
constexpr std::size_t kMinBytesPerSecond = std::size_t{16} << 10U;
constexpr auto kLinger = std::chrono::seconds(2);
/// Below this, a copy costs less than a second buffer does.
constexpr std::size_t kOneBuffer = std::size_t{16} << 10U;

bool has_folded_line(std::string_view header) {
  return header.find("\r\n ") != std::string_view::npos || header.find("\r\n\t") != std::string_view::npos;
}

}  // namespace

Clock::time_point deadline(Clock::time_point start, std::chrono::milliseconds allowed, std::size_t bytes) {
  const auto earned = std::chrono::milliseconds(bytes * 1000 / kMinBytesPerSecond);
  return std::min(Clock::now(), start + earned) + allowed;
}

Channel::Channel(Wire& wire, const ServerOptions& options)
    : wire_(wire),
      options_(options),
      watchdog_(wire.get_executor(), [&wire] { wire.cancel(); }),
      buffer_(2 * kReadBytes + options.header_limit) {}

asio::awaitable<bool> Channel::await_bytes() {
  if (buffer_.size() > 0) co_return true;
  watchdog_.watch_until(Clock::now() + options_.idle_timeout);
  auto [failure, bytes] = co_await wire_.async_read_some(buffer_.prepare(kHeadBytes), kAsTuple);
  if (!failure) buffer_.commit(bytes);
  co_return !failure;
}

asio::awaitable<error_code> Channel::read_more(Parser& parser) {
  if (buffer_.size() == 0 || starved_) {
    const std::size_t wanted = parser.is_header_done() ? kReadBytes : kHeadBytes;
    if (buffer_.size() + wanted > buffer_.max_size()) co_return beast::http::error::buffer_overflow;
    auto [failure, bytes] = co_await wire_.async_read_some(buffer_.prepare(wanted), kAsTuple);
    if (failure == asio::error::eof) co_return beast::http::error::end_of_stream;
    if (failure) co_return failure;
    buffer_.commit(bytes);
    if (part_ != nullptr) part_->moved(bytes);
  }
  error_code failure;
  const bool in_header = !parser.is_header_done();
  const std::string_view given(static_cast<const char*>(buffer_.data().data()), buffer_.size());
  const std::size_t used = parser.put(buffer_.data(), failure);
  // The parser takes a header in one piece, and joins lines that a proxy may interpret differently.
  if (in_header && !failure && has_folded_line(given.substr(0, used)))
    failure = beast::http::error::bad_obs_fold;
  buffer_.consume(used);
  starved_ = failure == beast::http::error::need_more;
  if (starved_) failure = {};
  co_return failure;
}

asio::awaitable<bool> Channel::write(std::string_view head, std::string_view body, std::size_t& sent) {
  std::string joined;
  if (!body.empty() && head.size() + body.size() <= kOneBuffer) {
    joined.reserve(head.size() + body.size());
    joined.append(head).append(body);
    head = joined;
    body = {};
  }
  const auto start = Clock::now();
  std::size_t of_this = 0;
  while (!head.empty() || !body.empty()) {
    watchdog_.watch_until(deadline(start, options_.write_timeout, of_this));
    const std::array parts = {asio::buffer(head.empty() ? body : head),
                              asio::buffer(head.empty() ? std::string_view() : body)};
    auto [failure, bytes] = co_await wire_.async_write_some(parts, kAsTuple);
    if (failure) co_return false;
    of_this += bytes;
    if (part_ != nullptr) part_->moved(bytes);
    sent += bytes;
    const std::size_t of_head = std::min(bytes, head.size());
    head.remove_prefix(of_head);
    body.remove_prefix(bytes - of_head);
  }
  watchdog_.release();
  co_return true;
}

asio::awaitable<void> Channel::linger() {
  error_code failure;
  watchdog_.watch_until(Clock::now() + kLinger);
  if (wire_.tls() == nullptr) wire_.socket().shutdown(tcp::socket::shutdown_send, failure);
  std::array<char, kHeadBytes> dropped;
  while (!failure && !watchdog_.expired()) {
    std::tie(failure, std::ignore) = co_await wire_.async_read_some(asio::buffer(dropped), kAsTuple);
  }
}

asio::awaitable<void> Channel::close() {
  error_code ignored;
  if (wire_.tls() != nullptr) {
    watchdog_.watch_until(Clock::now() + kLinger);
    co_await wire_.tls()->async_shutdown(kAsTuple);
  }
  watchdog_.release();
  wire_.socket().shutdown(tcp::socket::shutdown_both, ignored);
}

}  // namespace akin::http
