// A bounded quantity that clients share: bytes of bodies and of answers in memory, streams. A client is an
// access key, or an address without one.
//
// Half of the quantity goes to anyone. Of the rest, a client gets no more than its equal part, as long as
// others want some too; so a client that holds nothing finds room unless many clients share. When nothing is
// free, the transfers that are slower than the least rate are cut off; a client over its equal part is
// judged after a fifth of a second, others after a second.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

namespace akin::http {

class FairPart;

/// The total of a quantity, and who holds how much of it. Any thread.
class FairPool {
 public:
  using Clock = std::chrono::steady_clock;

  /// `least_rate`: bytes per second below which a transfer is cut off when nothing is free.
  FairPool(std::size_t total, std::size_t least_rate) noexcept : total_(total), least_rate_(least_rate) {}
  FairPool(const FairPool&) = delete;
  FairPool& operator=(const FairPool&) = delete;

  [[nodiscard]] std::size_t taken() const;
  [[nodiscard]] std::size_t total() const noexcept { return total_; }

 private:
  friend class FairPart;
  struct Client {
    std::size_t held = 0;
    std::size_t parts = 0;       ///< objects that refer to it
    Clock::time_point wanted{};  ///< when it last asked for more
    std::size_t making = 0;      ///< between begin_making and made
    std::size_t expected = 0;    ///< of each that it makes: as much as the largest of late
  };
  struct Entry;

  [[nodiscard]] bool has_room(Client& client, std::size_t amount, Clock::time_point now);
  [[nodiscard]] std::size_t equal_part(Clock::time_point now);
  void cut_slow(Clock::time_point now);

  const std::size_t total_;
  const std::size_t least_rate_;
  mutable std::mutex mutex_;  ///< guards the members below, and the entries
  std::size_t taken_ = 0;
  std::map<std::string, Client> clients_;
  std::unordered_set<Entry*> entries_;
  Clock::time_point scanned_{};  ///< when slow transfers were last looked for
};

/// What one transfer holds, given back on destruction. Must not outlive the FairPool.
class FairPart {
 public:
  struct Transfer {
    boost::asio::any_io_executor executor;  ///< of the connection's thread
    /// Ends the transfer; called there, between begin_transfer and end_transfer.
    std::function<void()> cut;
    /// How long the client has been waited for, in all; empty: the whole time. Any thread, with a lock held.
    std::function<FairPool::Clock::duration()> waited = {};
  };
  FairPart(FairPool& pool, const std::string& client, Transfer transfer);
  FairPart(const FairPart&) = delete;
  FairPart& operator=(const FairPart&) = delete;
  ~FairPart();

  // Any thread, one at a time.

  /// Takes `amount` more if the client may have it; else cuts slow transfers off, so that a later attempt may
  /// succeed, and returns false.
  [[nodiscard]] bool take(std::size_t amount);
  /// Whether a small amount could be taken beside what the client's others are likely to take that are being
  /// made; the same otherwise.
  [[nodiscard]] bool has_room();
  /// The same, and if so begins to make what made() takes.
  [[nodiscard]] bool begin_making();
  /// Takes `amount` even if it exceeds the total: it is in use already. Once after each begin_making that
  /// returned true.
  void made(std::size_t amount) noexcept;
  void give_back() noexcept;
  /// Some of what is held.
  void give_back(std::size_t amount) noexcept;
  [[nodiscard]] std::size_t held() const;

  // The connection's thread.

  /// Between these two, the transfer may be cut off for being slow.
  void begin_transfer();
  void end_transfer() noexcept;
  void moved(std::size_t bytes);
  [[nodiscard]] bool was_cut() const noexcept;

 private:
  /// Requires the mutex of the FairPool.
  [[nodiscard]] bool has_room_locked();

  FairPool& pool_;
  std::shared_ptr<FairPool::Entry> entry_;
};

/// The client of a request: its key's id, or its address; of an IPv6 address the first 64 bits, which one
/// customer has to itself.
[[nodiscard]] std::string client_name(const std::string& key, const std::string& address);

}  // namespace akin::http
