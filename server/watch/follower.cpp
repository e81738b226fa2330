#include "server/watch/follower.h"

#include <algorithm>
#include <utility>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "index/overlap/passages.h"
#include "server/watch/followed.h"

namespace akin::watch {

namespace {

FeatureSequence in_first_tier(const FeatureSequence& all) { return in_tier_of(all, 0); }

/// The documents that a watch is matched against: those with revisions in (after, up_to].
struct Span {
  Revision after;
  Revision up_to = Revision::last();
  [[nodiscard]] bool has(Revision revision) const { return revision > after && revision <= up_to; }
};

/// What a watch found in a document.
struct Match {
  std::string tier;  ///< the first that found it
  std::vector<Passage> passages;
};

/// Where the ranges of a stored document are in its file; nothing if it has no places.
std::vector<ingest::FilePlace> places_of(const DocumentRecord& document,
                                         const std::vector<Passage>& passages) {
  std::vector<ingest::FilePlace> places;
  if (document.places.empty()) return places;
  const extract::Document file = ingest::decode_places(document.places);
  for (const Passage& passage : passages) places.push_back(ingest::place_of(file, passage.b));
  return places;
}

Event event_of(const Watch& watch, const FeatureSequence& text, const Arrival& arrival, Match match) {
  Event event;
  event.collection = watch.collection;
  event.watch = watch.name;
  event.version = watch.version;
  event.document = arrival.record.id;
  event.title = arrival.record.title;
  event.revision = arrival.record.revision;
  event.overlap = overlap(in_first_tier(text).hashes, in_first_tier(arrival.features).hashes);
  event.tier = std::move(match.tier);
  event.passages = std::move(match.passages);
  event.passages_total = event.passages.size();
  if (event.passages.size() > kMaxPassages) event.passages.resize(kMaxPassages);
  event.places = places_of(arrival.record, event.passages);
  event.id = event_id(event);
  event.created = time_now();
  if (watch.webhook)
    event.delivery = {.state = DeliveryState::pending, .last_error = {}, .next_attempt = event.created};
  return event;
}

}  // namespace

Follower::Follower(std::shared_ptr<Journal> journal, OpenArrivals open, const FollowOptions& options,
                   Deliver deliver, Leadership& leadership)
    : journal_(std::move(journal)),
      open_(std::move(open)),
      options_(options),
      deliver_(std::move(deliver)),
      leadership_(leadership) {
  thread_ = std::jthread([this](const std::stop_token& ended) { work(ended); });
}

Follower::~Follower() { thread_.request_stop(); }

void Follower::wake() noexcept {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

std::optional<Error> Follower::trouble(const std::string& collection) const {
  const std::lock_guard lock(mutex_);
  const auto found = trouble_.find(collection);
  return found == trouble_.end() ? std::nullopt : std::optional(found->second);
}

void Follower::work(const std::stop_token& ended) {
  auto trimmed = std::chrono::steady_clock::time_point::min();
  while (!ended.stop_requested()) {
    {
      const std::lock_guard lock(mutex_);
      woken_ = false;
    }
    // After an exception the next round continues at the stored positions.
    const Result<void> followed = without_exceptions([&]() -> Result<void> {
      while (is_leader() && step_all(ended)) {
      }
      if (const auto now = std::chrono::steady_clock::now(); term_ != 0 && now - options_.trim >= trimmed) {
        trim_all();
        trimmed = now;
      }
      return {};
    });
    note_failure_of(Round::watches, followed);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, ended, options_.pause, [] { return false; });
    changed_.wait_for(lock, ended, options_.poll, [this] { return woken_; });
  }
}

/// Another server may have changed what was read in a former term.
bool Follower::is_leader() {
  const bool kept = leadership_.keep();
  if (leadership_.term() != term_) {
    followed_.clear();
    const std::lock_guard lock(mutex_);
    trouble_.clear();
  }
  term_ = leadership_.term();
  return kept;
}

/// One step of every collection; true if there is more to do immediately.
bool Follower::step_all(const std::stop_token& ended) {
  const auto collections = journal_->followed();
  note_failure_of(Round::watches, collections);
  if (collections.has_error()) return false;
  std::erase_if(followed_, [&](const auto& entry) {
    return std::ranges::find(*collections, entry.first) == collections->end();
  });
  bool more = false;
  for (const std::string& collection : *collections) {
    if (ended.stop_requested()) return false;
    const Result<bool> outcome = without_exceptions([&] { return step(collection); });
    note_failure_of(Round::watches, outcome);
    note(collection, outcome);
    more = more || (outcome.has_value() && *outcome);
  }
  return more;
}

void Follower::note(const std::string& collection, const Result<bool>& outcome) {
  const std::lock_guard lock(mutex_);
  if (outcome.has_error()) {
    trouble_.insert_or_assign(collection, outcome.error());
  } else {
    trouble_.erase(collection);
  }
}

Result<bool> Follower::step(const std::string& collection) {
  AKIN_TRY(const std::uint64_t number, journal_->watches_number(collection));
  Followed& followed = followed_[collection];
  if (number == followed.number && followed.standing.empty()) return false;
  auto arrivals = open_(collection);
  if (arrivals.has_error()) {
    if (arrivals.error().code != Errc::not_found) return std::move(arrivals).error();
    AKIN_CHECK(journal_->forget(collection));  // another process has dropped it
    return false;
  }
  if (number != followed.number || (*arrivals)->analysis() != followed.analysis) {
    AKIN_TRY(const bool needed, has_work(collection, **arrivals));
    if (!needed) return false;
    AKIN_TRY(const bool loaded, load(followed, collection, **arrivals));
    if (!loaded) return true;
  }
  if (followed.standing.empty()) return false;
  AKIN_TRY(const bool more, follow(followed, collection, **arrivals));
  if (followed.caught_up) return more;
  AKIN_TRY(const bool more_old, catch_up(followed, collection, **arrivals));
  return more || more_old;
}

/// Whether the watches are needed at all: many may change while no document arrives.
Result<bool> Follower::has_work(const std::string& collection, const Arrivals& arrivals) const {
  AKIN_TRY(const bool catching_up, journal_->catching_up(collection));
  if (catching_up) return true;
  AKIN_TRY(const Progress progress, journal_->progress(collection));
  AKIN_TRY(const auto found, arrivals.after(progress.position, 1));
  return !found.empty();
}

/// Adds the events of a document to a step, in the order of the watches: those of the watches that `wants`
/// accepts.
template <class Wants>
Result<void> Follower::add_events(Step& step, Followed& followed, const Arrivals& arrivals,
                                  const Arrival& arrival, const Wants& wants) const {
  const Standing* last = nullptr;  // a watch has one event, by the first of its tiers that matches
  for (const QueryMatch& match : followed.percolator->match(arrival.features)) {
    const auto& [standing, tier] = followed.queries[match.query];
    if (standing == last || !wants(*standing) || !standing->wants(arrival.record)) continue;
    Match found{.tier = arrivals.tier_name(tier.tier), .passages = {}};
    if (tier.verified) {
      AKIN_TRY(const std::string text, journal_->text(step.collection, standing->watch.name));
      AKIN_TRY(AlignedText aligned, arrivals.align(text, arrival.record));
      if (!is_reuse(aligned.words, tier)) continue;
      found.passages = std::move(aligned.passages);
    } else {
      found.passages = shared_passages(in_tier_of(*standing->features, tier.tier),
                                       in_tier_of(arrival.features, tier.tier));
    }
    last = standing;
    step.events.push_back(event_of(standing->watch, *standing->features, arrival, std::move(found)));
  }
  return {};
}

Result<bool> Follower::follow(Followed& followed, const std::string& collection, const Arrivals& arrivals) {
  AKIN_TRY(const Progress progress, journal_->progress(collection));
  Revision least = Revision::last();
  for (const Standing* standing : followed.standing) least = std::min(least, standing->watch.after);
  AKIN_TRY(const auto found, arrivals.after(std::max(progress.position, least), options_.step_documents));
  if (found.empty()) return false;
  Step step{.collection = collection,
            .term = term_,
            .watches_number = followed.number,
            .from = progress.position,
            .position = found.back().record.revision,
            .caught_up = {},
            .all_caught_up = false,
            .events = {}};
  for (const Arrival& arrival : found) {
    AKIN_CHECK(add_events(step, followed, arrivals, arrival, [&](const Standing& standing) {
      return Span{standing.watch.after}.has(arrival.record.revision);
    }));
  }
  AKIN_CHECK(write(step));
  return found.size() == options_.step_documents;
}

/// One step of the watches that still match documents from before their creation, all of them together from
/// the position of the last.
Result<bool> Follower::catch_up(Followed& followed, const std::string& collection, const Arrivals& arrivals) {
  AKIN_TRY(const Progress progress, journal_->progress(collection));
  Revision slowest = Revision::last();
  for (const Standing* standing : followed.standing)
    slowest = std::min(slowest, standing->watch.caught_up_to.value_or(Revision::last()));
  AKIN_TRY(const auto found, arrivals.after(slowest, options_.step_documents));
  const bool last = found.size() < options_.step_documents;
  const Revision reached = last ? Revision::last() : found.back().record.revision;
  Step step{.collection = collection,
            .term = term_,
            .watches_number = followed.number,
            .from = progress.position,
            .position = progress.position,
            .caught_up = {},
            .all_caught_up = false,
            .events = {}};
  for (const Arrival& arrival : found) {
    AKIN_CHECK(add_events(step, followed, arrivals, arrival, [&](const Standing& standing) {
      const Watch& watch = standing.watch;
      return watch.caught_up_to && Span{*watch.caught_up_to, watch.after}.has(arrival.record.revision);
    }));
  }
  step.all_caught_up = true;
  for (const Standing* standing : followed.standing) {
    const Watch& watch = standing->watch;
    if (!watch.caught_up_to) continue;
    const Revision done = std::max(*watch.caught_up_to, std::min(reached, watch.after));
    step.caught_up.emplace_back(watch.name, done);
    step.all_caught_up = step.all_caught_up && done >= watch.after;
  }
  AKIN_TRY(const bool written, write(step));
  if (!written) return true;
  followed.caught_up = step.all_caught_up;
  for (const auto& [name, revision] : step.caught_up) {
    Watch& watch = followed.by_name.at(name).watch;
    watch.caught_up_to = revision < watch.after ? std::optional(revision) : std::nullopt;
  }
  return !followed.caught_up;
}

/// False if the step came too late: the next one starts again.
Result<bool> Follower::write(Step& step) {
  AKIN_TRY(const bool taken, journal_->take(step));
  if (!taken) return false;
  for (const Event& event : step.events) {
    if (event.delivery.state == DeliveryState::pending)
      deliver_({event.collection, event.sequence}, event.created);
  }
  return true;
}

void Follower::trim_all() {
  const auto collections = journal_->followed();
  note_failure_of(Round::watches, collections);
  if (collections.has_error()) return;
  const Result<Time> lived = journal_->lived_time();
  note_failure_of(Round::watches, lived);
  if (lived.has_error()) return;
  for (const std::string& collection : *collections) {
    for (;;) {
      const auto erased = journal_->trim(collection, options_.retention, *lived);
      note_failure_of(Round::watches, erased);
      if (erased.has_error() || *erased == 0) break;
    }
  }
}

}  // namespace akin::watch
