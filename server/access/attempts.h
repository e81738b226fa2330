// Limits how often wrong secrets are tried, so that hashing them takes a small part of the machine.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace akin::access {

/// Token buckets for the key that is tried, and for the key together with the client's address. Only wrong
/// secrets are charged. Members may be called from any number of threads.
class Attempts {
 public:
  using Clock = std::chrono::steady_clock;

  /// From all addresses together, and from one: what may come in a burst, and how many a second after it.
  static constexpr double kKeyBurst = 20, kKeyRate = 5;
  static constexpr double kAddressBurst = 5, kAddressRate = 1;

  /// Charges an attempt; false, and charges nothing, if there have been too many.
  [[nodiscard]] bool begin(std::string_view id, std::string_view address, Clock::time_point now);
  /// The attempt of begin() was right: gives its charge back.
  void succeeded(std::string_view id, std::string_view address);

 private:
  struct Bucket {
    double used = 0;  ///< attempts that have not drained yet
    Clock::time_point since;
    [[nodiscard]] double left(double rate, Clock::time_point now) const;
    void drain(double rate, Clock::time_point now);
  };
  using Buckets = std::unordered_map<std::string, Bucket>;

  static void forget_drained(Buckets& buckets, double rate, Clock::time_point now);

  std::mutex mutex_;  // guards the following members
  Buckets keys_, addresses_;
};

}  // namespace akin::access
