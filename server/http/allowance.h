// A bounded quantity that connections draw on: connections themselves, queued requests, bytes of bodies.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace akin::http {

/// The total of a quantity and how much of it is taken. Any thread.
class Allowance {
 public:
  explicit Allowance(std::size_t total) noexcept : total_(total) {}
  [[nodiscard]] std::size_t taken() const noexcept { return taken_.load(std::memory_order_acquire); }

 private:
  friend class Lease;
  const std::size_t total_;
  std::atomic<std::size_t> taken_ = 0;
};

/// A part of an allowance, given back on destruction. Must not outlive the allowance. One thread at a time.
class Lease {
 public:
  explicit Lease(Allowance& allowance) noexcept : allowance_(&allowance) {}
  Lease(Lease&& other) noexcept : allowance_(other.allowance_), held_(std::exchange(other.held_, 0)) {}
  Lease& operator=(Lease&&) = delete;
  ~Lease() { give_back(); }

  /// Takes `amount` more; false, and takes nothing, if less than that is left.
  [[nodiscard]] bool take(std::size_t amount) noexcept {
    std::size_t taken = allowance_->taken_.load(std::memory_order_relaxed);
    do {
      if (amount > allowance_->total_ - taken) return false;
    } while (!allowance_->taken_.compare_exchange_weak(taken, taken + amount, std::memory_order_acq_rel));
    held_ += amount;
    return true;
  }
  void give_back() noexcept {
    allowance_->taken_.fetch_sub(std::exchange(held_, 0), std::memory_order_acq_rel);
  }
  [[nodiscard]] std::size_t held() const noexcept { return held_; }

 private:
  Allowance* allowance_;
  std::size_t held_ = 0;
};

}  // namespace akin::http
