// A deadline for the operations of a connection. Unlike beast::tcp_stream's, it leaves the socket open, so
// that the client can still get an answer with the reason.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace akin::http {

/// Calls `on_expiry` when the deadline passes. Used on the thread that runs the connection; `on_expiry` is
/// not called after release() or destruction.
/// Extending a deadline costs nothing: the timer stays unchanged, and checks the new deadline when it
/// expires.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  template <class Executor>
  Watchdog(const Executor& executor, std::function<void()> on_expiry)
      : state_(std::make_shared<State>(boost::asio::steady_timer(executor), std::move(on_expiry))) {}
  ~Watchdog() {
    state_->deadline = Clock::time_point::max();
    state_->on_expiry = nullptr;
    state_->timer.cancel();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Sets the deadline to `when`, which replaces the former one.
  void watch_until(Clock::time_point when) {
    state_->expired = false;
    state_->deadline = when;
    if (when < state_->armed) arm(state_, when);
  }

  void release() { state_->deadline = Clock::time_point::max(); }

  /// Lets the deadline, if one is set, pass now.
  void expire() {
    if (std::exchange(state_->deadline, Clock::time_point::max()) == Clock::time_point::max()) return;
    state_->expired = true;
    if (state_->on_expiry) state_->on_expiry();
  }

  [[nodiscard]] bool expired() const noexcept { return state_->expired; }

 private:
  struct State {
    State(boost::asio::steady_timer its_timer, std::function<void()> its_action)
        : timer(std::move(its_timer)), on_expiry(std::move(its_action)) {}
    boost::asio::steady_timer timer;
    std::function<void()> on_expiry;
    Clock::time_point deadline = Clock::time_point::max();
    Clock::time_point armed = Clock::time_point::max();  ///< when the timer expires; max: it is not running
    unsigned long number = 0;
    bool expired = false;
  };

  static void arm(const std::shared_ptr<State>& state, Clock::time_point when) {
    state->armed = Clock::time_point::max();  // unless the wait begins
    state->timer.expires_at(when);
    state->timer.async_wait([state, number = ++state->number](const boost::system::error_code& cancelled) {
      // A wait that ended before it could be cancelled still gets here; its number is then not the latest.
      if (cancelled || number != state->number) return;
      state->armed = Clock::time_point::max();
      if (state->deadline == Clock::time_point::max()) return;
      if (Clock::now() < state->deadline) {
        try {
          arm(state, state->deadline);
          return;
        } catch (const std::exception&) {  // no memory: nothing would ever end the operation
        }
      }
      state->expired = true;
      state->deadline = Clock::time_point::max();
      if (state->on_expiry) state->on_expiry();
    });
    state->armed = when;
  }

  std::shared_ptr<State> state_;
};

}  // namespace akin::http
