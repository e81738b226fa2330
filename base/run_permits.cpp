#include "base/run_permits.h"

#include <cassert>
#include <utility>

namespace akin {
namespace {

thread_local RunPermits* held_from = nullptr;

}  // namespace

void RunPermits::take() noexcept {
  std::unique_lock lock(mutex_);
  for_new_.wait(lock, [this] { return free_ > 0 && returning_ == 0; });
  --free_;
}

void RunPermits::take_back() noexcept {
  std::unique_lock lock(mutex_);
  ++returning_;
  for_returning_.wait(lock, [this] { return free_ > 0; });
  --returning_;
  --free_;
  const bool left = free_ > 0 && returning_ == 0;
  lock.unlock();
  if (left) for_new_.notify_one();
}

void RunPermits::give() noexcept {
  std::unique_lock lock(mutex_);
  ++free_;
  const bool returns = returning_ > 0;
  lock.unlock();
  (returns ? for_returning_ : for_new_).notify_one();
}

RunPermits::Held::Held(RunPermits& permits) noexcept {
  assert(held_from == nullptr);
  permits.take();
  held_from = &permits;
}

RunPermits::Held::~Held() { std::exchange(held_from, nullptr)->give(); }

RunPermits::Waiting::Waiting() noexcept : permits_(std::exchange(held_from, nullptr)) {
  if (permits_ != nullptr) permits_->give();
}

RunPermits::Waiting::~Waiting() {
  if (permits_ == nullptr) return;
  permits_->take_back();
  held_from = permits_;
}

}  // namespace akin
