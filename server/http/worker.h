// Runs the work of a connection on another thread.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/exceptions.h"
#include "base/run_permits.h"

namespace akin::http {

/// Threads of which some run at a time; those that wait for a commit do not count (RunPermits).
struct WorkerPool {
  WorkerPool(std::size_t running, std::size_t waiting) : permits(running), threads(running + waiting) {}

  RunPermits permits;
  boost::asio::thread_pool threads;
};

/// Runs `function` on `executor`. It is not lost when memory is short: what waits for it would wait for ever.
template <class Executor, class Function>
void post_surely(const Executor& executor, const Function& function) noexcept {
  until_done([&] { boost::asio::post(executor, function); });
}

/// Runs `work`, which must not throw, on a thread of `pool`, then resumes on the caller's executor. Returns
/// the time spent waiting for a thread and its permit.
template <class Work>
boost::asio::awaitable<std::chrono::steady_clock::duration> run_on(WorkerPool& pool, Work& work) {
  namespace asio = boost::asio;
  using std::chrono::steady_clock;
  const auto executor = co_await asio::this_coro::executor;
  const auto asked = steady_clock::now();
  auto begun = asked;
  auto initiate = [&](auto handler) {
    // Shared, so that a failed attempt to post it leaves it whole.
    auto resume = std::make_shared<decltype(handler)>(std::move(handler));
    asio::post(pool.threads, [&, guard = asio::make_work_guard(executor), resume = std::move(resume)] {
      {
        const RunPermits::Held permit(pool.permits);
        begun = steady_clock::now();
        work();
      }
      post_surely(guard.get_executor(), [resume] { (*std::move(resume))(); });
    });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(initiate, asio::use_awaitable);
  co_return begun - asked;
}

}  // namespace akin::http
