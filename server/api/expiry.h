// Removes temporary collections when their time is over.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "server/api/service.h"

namespace akin::api {

/// Forgets what is kept beside a collection that was dropped: watches, gate, groups, and labels where the
/// state has them.
[[nodiscard]] Result<void> forget_collection(const Service& service, const std::string& name);

/// A thread that looks every ten seconds. A collection that has expired is gone at once, for every request;
/// its files, watches, gate and groups go when it is noticed. The service must have a catalog, and outlives
/// this object.
class Expiry {
 public:
  explicit Expiry(const Service& service);

  /// Removes what has expired now. Any thread.
  static void sweep(const Service& service);

 private:
  void run(const std::stop_token& stop);

  const Service& service_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace akin::api
