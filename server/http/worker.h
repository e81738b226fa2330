// Runs the work of a connection on another thread.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "base/exceptions.h"
#include "base/fair_workers.h"

namespace akin::http {

/// Runs `function` on `executor`. It is not lost when memory is short: what waits for it would wait for ever.
template <class Executor, class Function>
void post_surely(const Executor& executor, const Function& function) noexcept {
  until_done([&] { boost::asio::post(executor, function); });
}

/// Whose piece of work it is: FairWorkers::Piece.
struct WorkOf {
  std::string client, subject = {};
  std::stop_token stop = {};
};

/// Runs `work`, which must not throw, on a thread of `workers`, then resumes on the caller's executor.
/// Returns the time spent waiting for its turn.
template <class Work>
boost::asio::awaitable<std::chrono::steady_clock::duration> run_on(FairWorkers& workers, const WorkOf& of,
                                                                   Work& work) {
  namespace asio = boost::asio;
  using std::chrono::steady_clock;
  const auto executor = co_await asio::this_coro::executor;
  const auto asked = steady_clock::now();
  auto begun = asked;
  auto initiate = [&](auto handler) {
    // Shared, so that a failed attempt to add it leaves it whole.
    auto resume = std::make_shared<decltype(handler)>(std::move(handler));
    auto guard = std::make_shared<decltype(asio::make_work_guard(executor))>(executor);
    workers.add({of.client, of.subject, of.stop, [&, guard, resume = std::move(resume)] {
                   begun = steady_clock::now();
                   work();
                   post_surely(guard->get_executor(), [resume] { (*std::move(resume))(); });
                 }});
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(initiate, asio::use_awaitable);
  co_return begun - asked;
}

}  // namespace akin::http
