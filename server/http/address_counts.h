// Counts the connections from each client address.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace akin::http {

class AddressPlace;

/// Any thread.
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
