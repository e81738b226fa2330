// A bounded quantity that connections draw on: connections themselves, queued requests, bytes of bodies.
#pragma once

#include <cstddef>
#include <utility>

namespace akin::http {

/// How much there is in all and how much is taken. One thread.
class Allowance {
 public:
  explicit Allowance(std::size_t total) noexcept : total_(total) {}
  [[nodiscard]] std::size_t taken() const noexcept { return taken_; }

 private:
  friend class Lease;
  std::size_t total_;
  std::size_t taken_ = 0;
};

/// A part taken of an allowance, given back on destruction. Must not outlive the allowance.
class Lease {
 public:
  explicit Lease(Allowance& allowance) noexcept : allowance_(&allowance) {}
  Lease(Lease&& other) noexcept : allowance_(other.allowance_), held_(std::exchange(other.held_, 0)) {}
  Lease& operator=(Lease&&) = delete;
  ~Lease() { allowance_->taken_ -= held_; }

  /// Takes `amount` more; false, and nothing taken, when that much is not left.
  [[nodiscard]] bool take(std::size_t amount) noexcept {
    if (amount > allowance_->total_ - allowance_->taken_) return false;
    allowance_->taken_ += amount;
    held_ += amount;
    return true;
  }
  [[nodiscard]] std::size_t held() const noexcept { return held_; }

 private:
  Allowance* allowance_;
  std::size_t held_ = 0;
};

}  // namespace akin::http
