// A deadline on a socket's operations. Unlike beast::tcp_stream's, it leaves the socket open, so that the
// client can still be told why.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>

namespace akin::http {

/// Cancels what the socket is doing when the deadline passes. Used on the thread that runs the socket's
/// coroutine; must not outlive the socket.
class Watchdog {
 public:
  explicit Watchdog(boost::asio::ip::tcp::socket& socket)
      : state_(std::make_shared<State>(State{&socket, boost::asio::steady_timer(socket.get_executor())})) {}
  ~Watchdog() { release(); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// From now on the deadline is `when`; the former one no longer counts.
  void watch_until(std::chrono::steady_clock::time_point when) {
    state_->expired = false;
    state_->timer.expires_at(when);
    state_->timer.async_wait(
        [state = state_, number = ++state_->number](const boost::system::error_code& cancelled) {
          // A wait that has ended before it could be cancelled still comes here: its number is not the last
          // one's.
          if (cancelled || number != state->number) return;
          state->expired = true;
          boost::system::error_code ignored;
          state->socket->cancel(ignored);
        });
  }

  void release() {
    ++state_->number;
    state_->timer.cancel();
  }

  [[nodiscard]] bool expired() const noexcept { return state_->expired; }

 private:
  struct State {
    boost::asio::ip::tcp::socket* socket;
    boost::asio::steady_timer timer;
    unsigned long number = 0;
    bool expired = false;
  };
  std::shared_ptr<State> state_;
};

}  // namespace akin::http
