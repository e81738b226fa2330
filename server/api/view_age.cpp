#include "server/api/view_age.h"

#include <array>
#include <cstdio>
#include <utility>

#include "base/exceptions.h"
#include "base/waiting.h"

namespace akin::api {

namespace {

constexpr std::chrono::seconds kTrusted(1);
constexpr std::chrono::milliseconds kPatience(500);

}  // namespace

ViewAge::ViewAge(std::shared_ptr<Catalog> catalog, std::chrono::microseconds most)
    : catalog_(std::move(catalog)),
      most_(most),
      thread_([this](const std::stop_token& stop) { answer(stop); }) {}

std::optional<Staleness> ViewAge::grown() const {
  std::optional<Staleness> staleness = last_;
  if (staleness) {
    staleness->age +=
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - *read_);
  }
  return staleness;
}

std::optional<Staleness> ViewAge::now() const {
  std::unique_lock lock(mutex_);
  // While one request waits for an answer, the others do not, unless nothing is known yet.
  if (read_ && (is_asked_ || std::chrono::steady_clock::now() - *read_ < kTrusted)) return grown();
  is_asked_ = true;
  changed_.notify_all();
  const Waiting waiting;
  changed_.wait_for(lock, kPatience, [this] { return !is_asked_; });
  return grown();
}

void ViewAge::answer(const std::stop_token& stop) {
  const WorkUnder under(nullptr, stop);
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return is_asked_; })) {
    lock.unlock();
    const auto staleness = without_exceptions([this] { return catalog_->staleness(); });
    lock.lock();
    is_asked_ = false;
    last_ = staleness.has_value() ? *staleness : std::nullopt;
    read_ = std::chrono::steady_clock::now();
    changed_.notify_all();
  }
}

std::optional<Error> ViewAge::refusal(const Staleness& staleness) const {
  if (most_.count() == 0 || staleness.age <= most_) return std::nullopt;
  return Error{Errc::busy, "standby database",
               "its view is " + seconds_text(staleness.age) + " s old, and --max-staleness allows " +
                   seconds_text(most_),
               "use another server, or try again"};
}

std::string seconds_text(std::chrono::microseconds age) {
  std::array<char, 32> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%.3f", std::chrono::duration<double>(age).count());
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace akin::api
