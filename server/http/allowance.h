// A bounded quantity that connections draw on: connections themselves, queued requests, bytes of bodies.
#pragma once

#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace akin::http {

/// The total of a quantity and how much of it is taken. Any thread.
class Allowance {
 public:
  explicit Allowance(std::size_t total) noexcept : total_(total) {}
  [[nodiscard]] std::size_t taken() const noexcept { return taken_.load(std::memory_order_acquire); }

 private:
  friend class AllowancePart;
  const std::size_t total_;
  std::atomic<std::size_t> taken_ = 0;
};

/// A part of an allowance, given back on destruction. Must not outlive the allowance. One thread at a time.
class AllowancePart {
 public:
  explicit AllowancePart(Allowance& allowance) noexcept : allowance_(&allowance) {}
  AllowancePart(AllowancePart&& other) noexcept
      : allowance_(other.allowance_), held_(std::exchange(other.held_, 0)) {}
  AllowancePart& operator=(AllowancePart&&) = delete;
  ~AllowancePart() { give_back(); }

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

class AddressPlace;

/// How many connections each address has. Any thread.
class AddressCounts {
 public:
  /// At most `limit` for one address; 0 = no limit, and nothing is counted.
  explicit AddressCounts(std::size_t limit) : limit_(limit) {}

  /// A place for one more connection; nothing if the address has reached its limit. Must not outlive this.
  [[nodiscard]] std::optional<AddressPlace> take(const boost::asio::ip::address& address);

 private:
  friend class AddressPlace;
  void give_back(const boost::asio::ip::address& address);

  const std::size_t limit_;
  std::mutex mutex_;
  std::map<boost::asio::ip::address, std::size_t> counts_;
};

/// Given back on destruction.
class AddressPlace {
 public:
  AddressPlace() = default;
  AddressPlace(AddressCounts& counts, boost::asio::ip::address address)
      : counts_(&counts), address_(std::move(address)) {}
  AddressPlace(AddressPlace&& other) noexcept
      : counts_(std::exchange(other.counts_, nullptr)), address_(std::move(other.address_)) {}
  AddressPlace& operator=(AddressPlace&&) = delete;
  ~AddressPlace() {
    if (counts_ != nullptr) counts_->give_back(address_);
  }

 private:
  AddressCounts* counts_ = nullptr;
  boost::asio::ip::address address_;
};

inline std::optional<AddressPlace> AddressCounts::take(const boost::asio::ip::address& address) {
  if (limit_ == 0) return AddressPlace();
  const std::lock_guard lock(mutex_);
  std::size_t& count = counts_[address];
  if (count >= limit_) return std::nullopt;
  ++count;
  return std::optional<AddressPlace>(std::in_place, *this, address);
}

inline void AddressCounts::give_back(const boost::asio::ip::address& address) {
  const std::lock_guard lock(mutex_);
  if (const auto found = counts_.find(address); --found->second == 0) counts_.erase(found);
}

}  // namespace akin::http
