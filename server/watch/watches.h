// Stored watches: their operations, and the threads that serve them. docs/watches.md documents their
// promises.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/state/state.h"
#include "server/watch/deliveries.h"
#include "server/watch/follower.h"
#include "server/watch/leadership.h"

namespace akin::watch {

struct Options {
  FollowOptions follow;
  DeliveryOptions delivery;
};

/// Longest text of a watch, and the maximum number of watches of a collection; FollowOptions::memory bounds
/// all watches together.
inline constexpr std::size_t kMaxWatchText = std::size_t{1} << 20U;
inline constexpr std::uint64_t kMaxWatches = 100'000;

enum class Since {
  now,        ///< documents stored after the watch
  beginning,  ///< and those stored before it
};

/// The content of a PUT.
struct WatchRequest {
  std::string collection;
  std::string name;
  std::string text;
  std::string document;  ///< that the text is from; or empty
  bool reuse = false;
  std::uint64_t bound = 3;
  double min_containment = 0.0;
  std::string filter;
  std::optional<Webhook> webhook;  ///< without a secret, the former one for the same url is kept
  bool enabled = true;
  std::string description;
  Since since = Since::now;
};

/// Members may be called from any number of threads.
class Watches {
 public:
  /// Begins to follow and to deliver, unless another server that shares the state does. Error: internal.
  [[nodiscard]] static Result<std::shared_ptr<Watches>> open(std::shared_ptr<state::State> state,
                                                             OpenArrivals arrivals, const Options& options);

  /// Creates a watch, or replaces it: then it continues where the former one was. Durable when it returns.
  /// Errors: not_found (the collection), invalid_argument (name, url, secret), too_large (the text, the
  /// number of watches, or FollowOptions::memory).
  [[nodiscard]] Result<Journal::Stored> put(const WatchRequest& request);
  /// Returns whether it existed.
  [[nodiscard]] Result<bool> remove(const std::string& collection, const std::string& name) {
    return journal_->remove_watch(collection, name);
  }

  /// For reading. Only this object changes the journal.
  [[nodiscard]] const Journal& journal() const noexcept { return *journal_; }

  /// Error: not_found.
  [[nodiscard]] Result<Event> event(const std::string& collection, std::string_view id) const;
  /// Delivers an event once more, starting with the first attempt. Errors: not_found (event, watch),
  /// invalid_argument (no webhook, disabled).
  [[nodiscard]] Result<Event> retry(const std::string& collection, std::string_view id);

  [[nodiscard]] const DeliveryCounts& delivery_counts() const noexcept { return deliveries_->counts(); }

  /// Call after a write to a collection.
  void notify() noexcept { follower_->wake(); }
  /// The error that prevents this server from following a collection; nothing while another server leads.
  [[nodiscard]] std::optional<Error> trouble(const std::string& collection) const {
    return follower_->trouble(collection);
  }

 private:
  Watches(std::shared_ptr<Journal> journal, OpenArrivals arrivals, const Options& options);
  [[nodiscard]] Result<void> check_memory(std::uint64_t characters,
                                          const std::optional<Watch>& replaced) const;

  const std::shared_ptr<Journal> journal_;
  const OpenArrivals arrivals_;
  const Options options_;
  Leadership leadership_;  // destroyed after the members that use it
  std::unique_ptr<Deliveries> deliveries_;
  std::unique_ptr<Follower> follower_;  // last: it uses the deliveries
};

}  // namespace akin::watch
