// Removes temporary collections when they expire.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "server/api/service.h"

namespace akin::api {

/// Removes what is stored about a dropped collection: its watches and their events, gate, groups and labels.
[[nodiscard]] Result<void> forget_collection(const std::shared_ptr<state::State>& state,
                                             const std::string& name);

/// A thread that looks for expired collections, and for answers that are no longer replayed, every ten
/// seconds. No request can use a collection after it has expired; the thread removes its files, watches, gate
/// and groups. The service must have a catalog, and must outlive this object.
class Expiry {
 public:
  explicit Expiry(const Service& service);

  /// Removes the collections and the answers that have expired. May be called from any thread.
  static void sweep(const Service& service);

 private:
  void run(const std::stop_token& stop);

  const Service& service_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the other members
};

}  // namespace akin::api
