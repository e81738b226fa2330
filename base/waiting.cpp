#include "base/waiting.h"

#include <algorithm>
#include <thread>

namespace akin {
namespace {

thread_local WorkPlace* place_of_thread = nullptr;
thread_local const std::stop_token* stop_of_thread = nullptr;
const std::stop_token never;

}  // namespace

WorkUnder::WorkUnder(WorkPlace* place, std::stop_token its_stop) noexcept
    : stop_(std::move(its_stop)),
      place_before_(std::exchange(place_of_thread, place)),
      stop_before_(std::exchange(stop_of_thread, &stop_)) {}

WorkUnder::~WorkUnder() {
  place_of_thread = place_before_;
  stop_of_thread = stop_before_;
}

WorkPlace* place_of_work() noexcept { return place_of_thread; }

const std::stop_token& stop_of_work() noexcept { return stop_of_thread == nullptr ? never : *stop_of_thread; }

Error stopped_work() {
  return Error{Errc::busy, "request", "it was given up before it was done", "send it again"};
}

Result<void> check_work() {
  if (stop_of_work().stop_requested()) return stopped_work();
  return {};
}

Result<void> pause_work(std::chrono::milliseconds pause) {
  const Waiting waiting;
  std::this_thread::sleep_for(pause);
  return check_work();
}

Waiting::Waiting() noexcept : place_(std::exchange(place_of_thread, nullptr)) {
  if (place_ != nullptr) place_->leave();
}

Waiting::~Waiting() {
  if (place_ == nullptr) return;
  place_->return_to();
  place_of_thread = place_;
}

void pause_before_retry(std::chrono::steady_clock::time_point begin) noexcept {
  using std::chrono::microseconds;
  const auto waited = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
  std::this_thread::sleep_for(std::clamp(waited / 4, microseconds(50), microseconds(5'000)));
}

}  // namespace akin
