// Probes: answered within two seconds, whatever else is going on.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>

#include "base/fair_workers.h"
#include "server/http/backend.h"
#include "server/http/channel.h"

namespace akin::http {

/// A thread that looks whether the server is ready, and what it saw last. Any thread, but as noted.
class Probes {
 public:
  /// The answer to a request for Delivery::probe. If looking takes longer than a second, for want of a disk
  /// or a database that answers, it is what was answered without a key at most half a minute ago, or else
  /// 503, as while the server drains. On the connection's thread.
  [[nodiscard]] boost::asio::awaitable<api::Response> answer(const Backend& backend, Channel& channel,
                                                             const api::Request& request, bool draining);
  /// Ends the looks under way.
  void stop() noexcept { stop_.request_stop(); }

 private:
  struct Look {
    explicit Look(const api::Request& its_request) : request(its_request) {}
    const api::Request request;
    api::Response response = {};
    std::atomic<bool> done = false;
  };
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::shared_ptr<const Look> begin(const Backend& backend, const api::Request& request);
  void keep(const Look& look);
  [[nodiscard]] std::optional<api::Response> last() const;

  std::stop_source stop_;
  std::atomic<std::size_t> under_way_ = 0;
  mutable std::mutex mutex_;
  std::optional<api::Response> last_;  ///< without a key; guarded by mutex_
  Clock::time_point looked_;           ///< then; guarded by mutex_
  FairWorkers thread_{{.working = 1}};
};

}  // namespace akin::http
