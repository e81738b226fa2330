#include <algorithm>

#include "server/state/lived_time.h"
#include "server/watch/forget_document.h"
#include "server/watch/journal.h"
#include "server/watch/journal_keys.h"
#include "server/watch/stored_json.h"

namespace akin::watch {

using state::pair_key;
using state::Table;
using state::Writer;

namespace {

constexpr std::size_t kBatch = 1000;
constexpr const char* kTerm = "#term";
constexpr const char* kRetries = "#retries";

Result<void> change_counter(Writer& writer, const std::string& key, std::int64_t by) {
  AKIN_TRY(const std::uint64_t count, read_number(writer, key));
  const std::uint64_t changed = count + static_cast<std::uint64_t>(by);
  if (changed != 0) return writer.put(Table::cursors, key, std::to_string(changed));
  AKIN_CHECK(writer.erase(Table::cursors, key));
  return {};
}

Result<void> add_event(Writer& writer, const Event& event) {
  const Journal::Place place(event.collection, event.sequence);
  AKIN_CHECK(writer.put(Table::events, event_key(place), encode_event(event)));
  AKIN_CHECK(writer.put(Table::events, id_key(event.id), pair_key(event.collection, hex16(event.sequence))));
  AKIN_CHECK(writer.put(Table::events, by_watch_key(place, event.watch), "1"));
  if (event.delivery.state == DeliveryState::pending)
    AKIN_CHECK(writer.put(Table::events, pending_key(place), "1"));
  return change_counter(writer, pair_key(event.collection, event.watch), 1);
}

Result<void> erase_event(Writer& writer, const Event& event) {
  const Journal::Place place(event.collection, event.sequence);
  AKIN_CHECK(writer.erase(Table::events, event_key(place)));
  AKIN_CHECK(writer.erase(Table::events, id_key(event.id)));
  AKIN_CHECK(writer.erase(Table::events, by_watch_key(place, event.watch)));
  AKIN_CHECK(writer.erase(Table::events, pending_key(place)));
  return change_counter(writer, pair_key(event.collection, event.watch), -1);
}

Result<void> write_delivery(Writer& writer, const Journal::Place& place, const Delivery& delivery) {
  AKIN_TRY(const auto stored, writer.get(Table::events, event_key(place)));
  if (!stored) return {};
  AKIN_TRY(Event event, decode_event(*stored));
  event.delivery = delivery;
  AKIN_CHECK(writer.put(Table::events, event_key(place), encode_event(event)));
  if (delivery.state == DeliveryState::pending) return writer.put(Table::events, pending_key(place), "1");
  AKIN_CHECK(writer.erase(Table::events, pending_key(place)));
  return {};
}

Result<void> note_caught_up(Writer& writer, const Step& step) {
  for (const auto& [name, revision] : step.caught_up) {
    const std::string key = watch_key(step.collection, name);
    AKIN_TRY(const auto stored, writer.get(Table::watches, key));
    if (!stored) continue;
    AKIN_TRY(Watch watch, decode_watch(*stored));
    watch.caught_up_to = revision < watch.after ? std::optional(revision) : std::nullopt;
    AKIN_CHECK(writer.put(Table::watches, key, encode_watch(watch)));
  }
  return {};
}

/// The number of first events of a collection over the limits; all are counted in `progress`.
std::size_t surplus(const std::vector<Event>& oldest, const Progress& progress, const Retention& limits,
                    Time lived) {
  std::size_t over = 0;
  for (const Event& event : oldest) {
    const bool too_many = progress.events - over > limits.events;
    if (!too_many && event.created + limits.age >= lived) break;
    ++over;
  }
  return over;
}

}  // namespace

Result<bool> Journal::take(Step& step) {
  bool taken = false;
  const auto written = state_->write([&](Writer& writer) -> Result<void> {
    taken = false;
    AKIN_TRY(const std::uint64_t term, read_number(writer, kTerm));
    if (term != step.term) return {};
    AKIN_TRY(const std::uint64_t number, read_number(writer, number_key(step.collection)));
    AKIN_TRY(const auto stored, writer.get(Table::cursors, step.collection));
    if (!stored || number != step.watches_number) return {};
    AKIN_TRY(Progress progress, decode_progress(stored));
    if (progress.position != step.from) return {};
    progress.position = step.position;
    for (Event& event : step.events) {
      event.sequence = progress.next_sequence++;
      AKIN_CHECK(add_event(writer, event));
    }
    progress.events += step.events.size();
    AKIN_CHECK(note_caught_up(writer, step));
    if (step.all_caught_up) AKIN_CHECK(writer.erase(Table::cursors, catching_up_key(step.collection)));
    AKIN_CHECK(writer.put(Table::cursors, step.collection, encode_progress(progress)));
    taken = true;
    return {};
  });
  AKIN_CHECK(written);
  return taken;
}

Result<std::optional<Event>> Journal::find_event(std::string_view collection, std::uint64_t sequence) const {
  AKIN_TRY(const auto stored, state_->get(Table::events, event_key({std::string(collection), sequence})));
  if (!stored) return std::optional<Event>();
  AKIN_TRY(Event event, decode_event(*stored));
  return std::optional(std::move(event));
}

Result<std::optional<Event>> Journal::find_event(std::string_view id) const {
  AKIN_TRY(const auto stored, state_->get(Table::events, id_key(id)));
  if (!stored) return std::optional<Event>();
  AKIN_TRY(const Place place, place_of(*stored));
  return find_event(place.first, place.second);
}

Result<EventPage> Journal::list_events(std::string_view collection, std::string_view watch,
                                       std::uint64_t after, std::size_t limit) const {
  EventPage page;
  const std::string prefix = watch.empty() ? event_prefix(collection) : by_watch_prefix(collection, watch);
  AKIN_TRY(const Progress known, progress(collection));
  AKIN_TRY(const auto first, state_->list(Table::events, event_prefix(collection), "", 1));
  page.first_kept = known.next_sequence;
  if (!first.empty()) {
    AKIN_TRY(const Event event, decode_event(first.front().value));
    page.first_kept = event.sequence;
    page.oldest = event.created;
  }
  AKIN_TRY(auto entries, state_->list(Table::events, prefix, prefix + hex16(after), limit + 1));
  page.more = entries.size() > limit;
  if (page.more) entries.pop_back();
  for (const state::Entry& entry : entries) {
    AKIN_TRY(const Place place, place_of(std::string_view(entry.key).substr(2)));
    AKIN_TRY(auto event, find_event(collection, place.second));
    if (event) page.events.push_back(*std::move(event));  // else it was removed meanwhile
  }
  if (watch.empty()) {
    page.total = known.events;
  } else {
    AKIN_TRY(const auto count, state_->get(Table::cursors, pair_key(collection, watch)));
    page.total = decode_number(count);
  }
  return page;
}

Result<std::vector<Journal::Place>> Journal::pending(const std::optional<Place>& after,
                                                     std::size_t limit) const {
  AKIN_TRY(const auto entries,
           state_->list(Table::events, "p/", after ? pending_key(*after) : std::string("p/"), limit));
  std::vector<Place> places;
  places.reserve(entries.size());
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Place place, place_of(std::string_view(entry.key).substr(2)));
    places.push_back(std::move(place));
  }
  return places;
}

Result<void> Journal::set_delivery(const Place& place, const Delivery& delivery) {
  return state_->write([&](Writer& writer) { return write_delivery(writer, place, delivery); });
}

Result<void> Journal::retry_delivery(const Place& place, const Delivery& delivery) {
  return state_->write([&](Writer& writer) -> Result<void> {
    AKIN_CHECK(write_delivery(writer, place, delivery));
    return change_counter(writer, kRetries, 1);
  });
}

Result<std::uint64_t> Journal::retries() const {
  AKIN_TRY(const auto stored, state_->get(Table::cursors, kRetries));
  return decode_number(stored);
}

Result<std::uint64_t> Journal::begin_term() {
  std::uint64_t term = 0;
  AKIN_CHECK(state_->write([&](Writer& writer) -> Result<void> {
    AKIN_TRY(term, read_number(writer, kTerm));
    return writer.put(Table::cursors, kTerm, std::to_string(++term));
  }));
  return term;
}

Result<Time> Journal::lived_time() const { return state::lived_time(*state_, state::ClockReading::now()); }

Result<std::size_t> Journal::trim(const std::string& collection, const Retention& limits, Time lived) {
  AKIN_TRY(const Progress known, progress(collection));
  if (known.events == 0) return std::size_t{0};
  const std::size_t looked_at = known.events > limits.events ? kBatch : 1;
  AKIN_TRY(EventPage page, list_events(collection, "", 0, looked_at));
  if (surplus(page.events, known, limits, lived) == 0) return std::size_t{0};
  if (looked_at < kBatch) {
    AKIN_TRY(page, list_events(collection, "", 0, kBatch));
  }
  std::size_t erased = 0;
  const auto written = state_->write([&](Writer& writer) -> Result<void> {
    erased = 0;
    AKIN_TRY(const auto stored, writer.get(Table::cursors, collection));
    if (!stored) return {};
    AKIN_TRY(Progress progress, decode_progress(stored));
    const std::size_t over = surplus(page.events, progress, limits, lived);
    for (; erased < over; ++erased) {
      const Event& event = page.events[erased];
      AKIN_TRY(const auto there, writer.get(Table::events, event_key({collection, event.sequence})));
      if (there) {
        AKIN_CHECK(erase_event(writer, event));
        --progress.events;
      }
    }
    return writer.put(Table::cursors, collection, encode_progress(progress));
  });
  AKIN_CHECK(written);
  return erased;
}

Result<void> Journal::forget(const std::string& collection) {
  // The watches first: without them and their number no further step is accepted.
  AKIN_TRY(const std::vector<Watch> watches, list_watches(collection, "", SIZE_MAX));
  const auto written = state_->write([&](Writer& writer) -> Result<void> {
    for (const Watch& watch : watches) {
      AKIN_CHECK(writer.erase(Table::watches, watch_key(collection, watch.name)));
      AKIN_CHECK(writer.erase(Table::watches, text_key(collection, watch.name)));
    }
    AKIN_CHECK(writer.erase(Table::cursors, number_key(collection)));
    AKIN_CHECK(writer.erase(Table::cursors, catching_up_key(collection)));
    AKIN_CHECK(writer.erase(Table::cursors, collection));
    return {};
  });
  AKIN_CHECK(written);
  for (;;) {
    AKIN_TRY(const EventPage page, list_events(collection, "", 0, kBatch));
    if (page.events.empty()) return {};
    const auto erased = state_->write([&](Writer& writer) -> Result<void> {
      for (const Event& event : page.events) AKIN_CHECK(erase_event(writer, event));
      return {};
    });
    AKIN_CHECK(erased);
  }
}

Result<std::uint64_t> forget_document(const std::shared_ptr<state::State>& state,
                                      const std::string& collection, const std::string& document) {
  Journal journal(state);
  std::uint64_t forgotten = 0;
  AKIN_TRY(const std::vector<Watch> watches, journal.list_watches(collection, "", SIZE_MAX));
  for (const Watch& watch : watches) {
    if (watch.document != document) continue;
    AKIN_TRY(const bool removed, journal.remove_watch(collection, watch.name));
    forgotten += removed ? 1 : 0;
  }
  for (std::uint64_t after = 0;;) {
    AKIN_TRY(EventPage page, journal.list_events(collection, "", after, kBatch));
    if (page.events.empty()) return forgotten;
    after = page.events.back().sequence;
    std::erase_if(page.events, [&](const Event& event) { return event.document != document; });
    if (page.events.empty()) continue;
    const auto written = state->write([&](Writer& writer) -> Result<void> {
      AKIN_TRY(const auto stored, writer.get(Table::cursors, collection));
      if (!stored) return {};
      AKIN_TRY(Progress progress, decode_progress(stored));
      for (const Event& event : page.events) {
        AKIN_TRY(const auto there, writer.get(Table::events, event_key({collection, event.sequence})));
        if (!there) continue;
        AKIN_CHECK(erase_event(writer, event));
        --progress.events;
      }
      return writer.put(Table::cursors, collection, encode_progress(progress));
    });
    AKIN_CHECK(written);
    forgotten += page.events.size();
  }
}

}  // namespace akin::watch
