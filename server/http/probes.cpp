#include "server/http/probes.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>

#include "server/api/boundary.h"

namespace akin::http {

namespace {

/// More of them wait for a look that hangs: they are answered without one.
constexpr std::size_t kMostLooks = 32;
constexpr auto kLookPatience = std::chrono::seconds(1);
constexpr auto kKept = std::chrono::seconds(30);

}  // namespace

std::shared_ptr<const Probes::Look> Probes::begin(const Backend& backend, const api::Request& request) {
  if (under_way_ >= kMostLooks) return nullptr;
  auto look = std::make_shared<Look>(request);
  ++under_way_;
  thread_.add({.client = request.client, .stop = stop_.get_token(), .work = [this, look, &backend] {
                 look->response = api::answer_or_error([&] { return backend.handle(look->request); });
                 keep(*look);
                 look->done = true;
                 --under_way_;
               }});
  return look;
}

void Probes::keep(const Look& look) {
  if (look.request.header("authorization")) return;
  const std::lock_guard lock(mutex_);
  last_ = look.response;
  looked_ = Clock::now();
}

std::optional<api::Response> Probes::last() const {
  const std::lock_guard lock(mutex_);
  return Clock::now() - looked_ < kKept ? last_ : std::nullopt;
}

boost::asio::awaitable<api::Response> Probes::answer(const Backend& backend, Channel& channel,
                                                     const api::Request& request, bool draining) {
  const auto look = begin(backend, request);
  boost::asio::steady_timer timer(channel.wire().get_executor());
  const auto begun = Clock::now();
  while (look != nullptr && Clock::now() - begun < kLookPatience) {
    if (look->done) co_return look->response;
    timer.expires_after(std::clamp<Clock::duration>(
        (Clock::now() - begun) / 4, std::chrono::microseconds(100), std::chrono::milliseconds(20)));
    co_await timer.async_wait(kAsTuple);
  }
  if (auto before = draining ? std::nullopt : last()) co_return *std::move(before);
  co_return api::error_response(
      Error{Errc::busy, "server", "looking at its collections takes long: it waits for a disk or a database",
            "try again in a moment"});
}

}  // namespace akin::http
