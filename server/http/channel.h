// Reads requests from one connection and writes answers to it, with deadlines.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <string_view>

#include "server/http/fair_pool.h"
#include "server/http/piece_body.h"
#include "server/http/server.h"
#include "server/http/watchdog.h"
#include "server/http/wire.h"

namespace akin::http {

using Clock = std::chrono::steady_clock;
inline constexpr auto kAsTuple = boost::asio::as_tuple(boost::asio::use_awaitable);

/// The deadline of a transfer's next step. It ends a transfer that makes no progress for `allowed`, and one
/// that is slower than 16 KiB/s after `allowed`; faster transfers are never cut off, however large.
[[nodiscard]] Clock::time_point deadline(Clock::time_point start, std::chrono::milliseconds allowed,
                                         std::size_t bytes);

/// Used on the connection's thread.
class Channel {
 public:
  Channel(Wire& wire, const ServerOptions& options);

  /// Waits until there is a byte of a request; false if none comes in time.
  boost::asio::awaitable<bool> await_bytes();

  /// Gives the parser the bytes in the buffer, or waits for more and gives it those. Sets no deadline. Fails
  /// with end_of_stream when the client has closed.
  boost::asio::awaitable<boost::system::error_code> read_more(Parser& parser);

  /// Sends the head, then the body; true if all of it was sent. `sent` counts the bytes.
  boost::asio::awaitable<bool> write(std::string_view head, std::string_view body, std::size_t& sent);

  /// Reads and drops what the client still sends: closing with unread bytes would reset the connection, and
  /// the client might never see the answer.
  boost::asio::awaitable<void> linger();

  /// Closes the connection in the way the protocol requires (TLS close_notify).
  boost::asio::awaitable<void> close();

  /// From now on, the bytes read and written count for `share`; null: for none.
  void count_for(FairPart* part) noexcept { part_ = part; }

  [[nodiscard]] Watchdog& watchdog() noexcept { return watchdog_; }
  [[nodiscard]] Wire& wire() noexcept { return wire_; }

 private:
  Wire& wire_;
  const ServerOptions& options_;
  Watchdog watchdog_;
  boost::beast::flat_buffer buffer_;
  FairPart* part_ = nullptr;
  bool starved_ = false;  ///< the buffered bytes are too few for the parser
};

}  // namespace akin::http
