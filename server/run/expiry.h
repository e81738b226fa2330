// Removes temporary collections and stored checks when they expire, and computes standing checks again.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

#include "server/api/service.h"

namespace akin::api {

/// A thread that looks, every ten seconds, for collections and checks that have expired, for answers that are
/// no longer replayed, and for removals of collections that were interrupted. No request can use a collection
/// after it has expired; the thread removes its files, watches, gate and groups, and the checks with their
/// texts, by the time that was lived through (state::LivedTime). The service must have a catalog, and must
/// outlive this object.
class Expiry {
 public:
  /// Take lines for the log; may be empty.
  struct Log {
    std::function<void(std::string_view)> inform, warn;
  };
  Expiry(const Service& service, Log log);

  /// One look. May be called from any thread.
  static void sweep(const Service& service, const Log& log = {});

 private:
  void run(const std::stop_token& stop);

  const Service& service_;
  const Log log_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the other members
};

}  // namespace akin::api
