// Waits for a part of what all connections share.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "server/http/channel.h"

namespace akin::http {

/// Repeats `attempt`, which returns whether it succeeded, until it does, for three seconds: so long it may
/// take until slow transfers have been cut off for it. False after that, or when the server drains. Releases
/// the channel's deadline if it has to wait.
template <class Attempt>
boost::asio::awaitable<bool> obtain(Channel& channel, const std::atomic<bool>& draining, Attempt attempt) {
  constexpr auto kPatience = std::chrono::seconds(3);
  constexpr auto kPause = std::chrono::milliseconds(10);
  if (attempt()) co_return true;
  channel.watchdog().release();
  boost::asio::steady_timer timer(channel.wire().get_executor());
  const auto end = Clock::now() + kPatience;
  while (Clock::now() < end && !draining) {
    timer.expires_after(kPause);
    co_await timer.async_wait(kAsTuple);
    if (attempt()) co_return true;
  }
  co_return false;
}

}  // namespace akin::http
