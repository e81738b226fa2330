// The watches' data in the server's state: the watches, how far their collections have been followed, and
// the events. Thread-safe, as State is; several processes may share it.
//
// Table watches: pair_key(collection, name) → watch; pair_key("~" + collection, name) → its text.
// Table cursors: collection → Progress; "!" + collection → a number that each change of its watches raises;
//   "+" + collection → exists while some of its watches still match old documents;
//   pair_key(collection, watch) → how many events of this watch are stored; "#term" → the number of the term
//   in which collections are followed; "#retries" → a number that each request to deliver an event again
//   increments.
// Table events, where N is a sequence in 16 hex digits: "e/" + pair_key(collection, N) → event;
//   "i/" + id → pair_key(collection, N); "p/" + pair_key(collection, N) → nothing, for pending deliveries;
//   "w/" + pair_key(collection, pair_key(watch, N)) → nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/state/state.h"
#include "server/watch/event.h"
#include "server/watch/watch.h"

namespace akin::watch {

/// How far a collection has been followed, and its counts.
struct Progress {
  Revision position;  ///< documents up to this revision have been matched
  std::uint64_t next_sequence = 1;
  std::uint64_t events = 0;   ///< stored
  std::uint64_t watches = 0;  ///< enabled or not
  /// Characters of their texts together; nothing if an earlier akin did not count them.
  std::optional<std::uint64_t> characters = 0;
};

/// A collection's watches at one moment.
struct WatchSet {
  std::uint64_t number = 0;  ///< raised by each change of them
  std::vector<Watch> watches;
};

/// One step of following a collection.
struct Step {
  std::string collection;
  std::uint64_t term = 0;                                   ///< Leadership::term of its computation
  std::uint64_t watches_number = 0;                         ///< WatchSet::number of its computation
  Revision from;                                            ///< Progress::position at its start
  Revision position;                                        ///< and the new one
  std::vector<std::pair<std::string, Revision>> caught_up;  ///< watches' names: Watch::caught_up_to
  bool all_caught_up = false;                               ///< no watch has old documents left to match
  std::vector<Event> events;                                ///< without sequences
};

struct Retention {
  std::uint64_t events = 100'000;  ///< of one collection
  std::chrono::seconds age{30 * 24 * 3600};
};

struct EventPage {
  std::uint64_t total = 0;       ///< stored events, of the watch if one was named
  std::vector<Event> events;     ///< oldest first
  std::uint64_t first_kept = 1;  ///< of the collection's sequences; the next one if none is stored
  std::optional<Time> oldest;    ///< when the collection's first stored event was created
  bool more = false;             ///< whether there are events after this page
};

class Journal {
 public:
  explicit Journal(std::shared_ptr<state::State> state) : state_(std::move(state)) {}

  [[nodiscard]] Result<std::optional<Watch>> find_watch(std::string_view collection,
                                                        std::string_view name) const;
  [[nodiscard]] Result<std::string> text(std::string_view collection, std::string_view name) const;
  [[nodiscard]] Result<std::vector<Watch>> list_watches(std::string_view collection, std::string_view after,
                                                        std::size_t limit) const;

  /// Creates or replaces a watch. `form` receives the former one and returns the new one; a collection that
  /// was not followed before is followed from `present` on.
  using Form = std::function<Watch(const std::optional<Watch>& former)>;
  struct Stored {
    Watch watch;
    bool replaced = false;
  };
  [[nodiscard]] Result<Stored> put_watch(const std::string& collection, const std::string& name,
                                         const std::string& text, Revision present, const Form& form);
  /// Returns whether it existed. Its events stay; those not delivered are given up.
  [[nodiscard]] Result<bool> remove_watch(const std::string& collection, const std::string& name);
  /// Disables the watch if it still is this version.
  [[nodiscard]] Result<void> disable_watch(const Watch& watch, const std::string& reason);

  /// Names of the collections that have, or had, watches.
  [[nodiscard]] Result<std::vector<std::string>> followed() const;
  [[nodiscard]] Result<std::uint64_t> watches_number(std::string_view collection) const;
  [[nodiscard]] Result<WatchSet> watch_set(std::string_view collection) const;
  [[nodiscard]] Result<Progress> progress(std::string_view collection) const;
  /// Memory that the watches of a collection take while it is followed, and that of one of them.
  [[nodiscard]] Result<std::uint64_t> memory_of_watches(std::string_view collection) const;
  [[nodiscard]] static std::uint64_t memory_of_watch(std::uint64_t characters) noexcept;
  /// Whether some of its watches may still match old documents.
  [[nodiscard]] Result<bool> catching_up(std::string_view collection) const;

  /// Writes a step in one transaction, and gives its new events their sequences. Returns false, and writes
  /// nothing, if another server has changed the watches, advanced the position or begun a term meanwhile.
  [[nodiscard]] Result<bool> take(Step& step);

  [[nodiscard]] Result<std::optional<Event>> find_event(std::string_view collection,
                                                        std::uint64_t sequence) const;
  [[nodiscard]] Result<std::optional<Event>> find_event(std::string_view id) const;
  /// Events with larger sequences than `after`; of one watch, unless `watch` is empty.
  [[nodiscard]] Result<EventPage> list_events(std::string_view collection, std::string_view watch,
                                              std::uint64_t after, std::size_t limit) const;
  /// Up to `limit` undelivered events after this place, over all collections: collection and sequence.
  using Place = std::pair<std::string, std::uint64_t>;
  [[nodiscard]] Result<std::vector<Place>> pending(const std::optional<Place>& after,
                                                   std::size_t limit) const;
  /// Changes an event's delivery; does nothing if the event is gone.
  [[nodiscard]] Result<void> set_delivery(const Place& place, const Delivery& delivery);

  /// The same for an event that is to be delivered once more; increments retries().
  [[nodiscard]] Result<void> retry_delivery(const Place& place, const Delivery& delivery);
  [[nodiscard]] Result<std::uint64_t> retries() const;

  /// Permission to follow and to deliver; null if another server has it.
  [[nodiscard]] Result<std::unique_ptr<state::Lease>> try_leadership() {
    return state_->try_lease("watches");
  }
  /// Begins the next term; returns its number, from 1 on.
  [[nodiscard]] Result<std::uint64_t> begin_term();

  /// The time by which events age.
  [[nodiscard]] Result<Time> lived_time() const;
  /// Removes the oldest events over the limits at this lived time, a bounded number at a time; returns how
  /// many.
  [[nodiscard]] Result<std::size_t> trim(const std::string& collection, const Retention& limits, Time lived);
  /// Removes everything about a collection.
  [[nodiscard]] Result<void> forget(const std::string& collection);

 private:
  std::shared_ptr<state::State> state_;
};

}  // namespace akin::watch
