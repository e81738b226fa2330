// Scrubs the collections one after another at a steady rate, and announces what it finds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "server/api/service.h"

namespace akin::api {

/// A thread that calls Catalog::scrub for each collection, once in a period; of the servers that share a
/// state, one does. The service must have a catalog, and must outlive this object.
class Scrubber {
 public:
  struct Options {
    std::uint64_t bytes_per_second = 0;          ///< on average; 0 = never
    std::function<void(std::string_view)> warn;  ///< takes lines for the log
    std::chrono::milliseconds pause{
        60'000};                    ///< before the first look for something to scrub, and between two
    std::chrono::hours period{24};  ///< between two passes over one collection
  };
  Scrubber(const Service& service, Options options);

 private:
  void run(const std::stop_token& stop);
  Result<void> scrub_all(const std::stop_token& stop);
  void scrub(const std::string& name, const std::stop_token& stop);
  /// False when the thread is to stop.
  bool wait(const std::stop_token& stop, std::chrono::microseconds time);

  const Service& service_;
  const Options options_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the other members
};

}  // namespace akin::api
