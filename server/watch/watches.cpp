#include "server/watch/watches.h"

#include <algorithm>
#include <utility>

#include "index/collection/collection_name.h"
#include "server/filter/filter.h"
#include "server/json/quoted.h"
#include "server/outbound/signature.h"
#include "server/watch/stored_json.h"

namespace akin::watch {

namespace {

using json::in_quotes;

Result<void> check(const WatchRequest& request, bool allow_private) {
  if (!is_watch_name(request.name)) {
    return Error{Errc::invalid_argument, "watch " + in_quotes(request.name), "not a watch's name",
                 kCollectionNameRule};
  }
  if (request.text.size() > kMaxWatchText) {
    return Error{
        Errc::too_large, "text of the watch",
        std::to_string(request.text.size()) + " bytes exceed the limit of " + std::to_string(kMaxWatchText),
        "watch a shorter text, or its parts"};
  }
  if (!request.filter.empty()) AKIN_CHECK(filter::Filter::parse(request.filter));
  if (!request.webhook) return {};
  AKIN_CHECK(check_url(request.webhook->url, allow_private));
  if (!request.webhook->secret.empty()) AKIN_CHECK(secret_key(request.webhook->secret));
  return {};
}

std::string named(const std::string& collection, std::string_view id) {
  return "event " + in_quotes(id) + " in collection " + in_quotes(collection);
}

/// The watch that replaces `former`, or is the first with its name.
Watch formed(const WatchRequest& request, const FeatureSequence& features, Revision present,
             const std::optional<Watch>& former) {
  Watch watch;
  watch.collection = request.collection;
  watch.name = request.name;
  watch.updated = time_now();
  watch.created = former ? former->created : watch.updated;
  watch.version = std::max(to_number(watch.updated), former ? former->version + 1 : 0);
  watch.document = request.document;
  watch.reuse = request.reuse;
  watch.bound = request.bound;
  watch.min_containment = request.min_containment;
  watch.filter = request.filter;
  watch.webhook = request.webhook;
  watch.enabled = request.enabled;
  watch.description = request.description;
  watch.sentences = features.sentences;
  watch.features = features.tier_sizes.front();
  watch.code_points = features.code_points;
  const bool goes_on = former && former->enabled;
  if (request.since == Since::beginning) {
    watch.after = present;
    watch.caught_up_to = Revision();
  } else {
    watch.after = goes_on ? former->after : present;
    if (goes_on) watch.caught_up_to = former->caught_up_to;
  }
  return watch;
}

}  // namespace

Watches::Watches(std::shared_ptr<Journal> journal, OpenArrivals arrivals, const Options& options)
    : journal_(std::move(journal)),
      arrivals_(std::move(arrivals)),
      options_(options),
      leadership_(journal_) {}

Result<std::shared_ptr<Watches>> Watches::open(std::shared_ptr<state::State> state, OpenArrivals arrivals,
                                               const Options& options) {
  auto journal = std::make_shared<Journal>(std::move(state));
  std::shared_ptr<Watches> watches(new Watches(std::move(journal), std::move(arrivals), options));
  AKIN_TRY(watches->deliveries_, Deliveries::open(watches->journal_, options.delivery, watches->leadership_));
  watches->follower_ = std::make_unique<Follower>(
      watches->journal_, watches->arrivals_, options.follow,
      [deliveries = watches->deliveries_.get()](const Journal::Place& place, Time when) {
        deliveries->add(place, when);
      },
      watches->leadership_);
  return watches;
}

/// Whether there is memory for the watch beside all others.
Result<void> Watches::check_memory(std::uint64_t characters, const std::optional<Watch>& replaced) const {
  const std::uint64_t more = Journal::memory_of_watch(characters);
  const std::uint64_t less = replaced ? Journal::memory_of_watch(replaced->code_points) : 0;
  if (more <= less) return {};
  std::uint64_t memory = more - less;
  AKIN_TRY(const std::vector<std::string> collections, journal_->followed());
  for (const std::string& collection : collections) {
    AKIN_TRY(const std::uint64_t taken, journal_->memory_of_watches(collection));
    memory += taken;
  }
  if (memory <= options_.follow.memory) return {};
  return Error{Errc::too_large, "text of the watch",
               "the watches of all collections would take more than the " +
                   std::to_string(options_.follow.memory >> 20U) + " MiB for watches",
               "shorten it, delete other watches, or have the server's --watch-memory raised"};
}

Result<Journal::Stored> Watches::put(const WatchRequest& request) {
  AKIN_CHECK(check(request, options_.delivery.send.allow_private));
  AKIN_TRY(const auto arrivals, arrivals_(request.collection));
  AKIN_TRY(const FeatureSequence features, arrivals->analyze(request.text));
  if (features.sentences == 0) {
    return Error{Errc::invalid_argument, "text of the watch", "has no word, so that no document matches it",
                 "watch a text with words"};
  }
  AKIN_TRY(const Revision present, arrivals->last_revision());
  AKIN_TRY(const auto known, journal_->find_watch(request.collection, request.name));
  WatchRequest whole = request;
  if (whole.webhook && whole.webhook->secret.empty()) {
    if (!known || !known->webhook || known->webhook->url != whole.webhook->url) {
      return Error{Errc::invalid_argument, "field 'webhook.secret'", "is missing for a new url",
                   "create one: echo whsec_$(head -c 32 /dev/urandom | base64)"};
    }
    whole.webhook->secret = known->webhook->secret;
  }
  if (!known) {
    AKIN_TRY(const Progress progress, journal_->progress(request.collection));
    if (progress.watches >= kMaxWatches) {
      return Error{Errc::too_large, "collection " + in_quotes(request.collection),
                   "has " + std::to_string(progress.watches) + " watches, which is the limit", "delete some"};
    }
  }
  AKIN_CHECK(check_memory(features.code_points, known));
  AKIN_TRY(auto stored, journal_->put_watch(request.collection, request.name, request.text, present,
                                            [&](const std::optional<Watch>& former) {
                                              return formed(whole, features, present, former);
                                            }));
  follower_->wake();
  return stored;
}

Result<Event> Watches::event(const std::string& collection, std::string_view id) const {
  AKIN_TRY(auto event, journal_->find_event(id));
  if (event && event->collection == collection) return *std::move(event);
  return Error{Errc::not_found, named(collection, id), "does not exist, or was removed as too old",
               "GET /v1/collections/" + collection + "/events lists the stored ones"};
}

Result<Event> Watches::retry(const std::string& collection, std::string_view id) {
  AKIN_TRY(Event found, event(collection, id));
  AKIN_TRY(const auto watch, journal_->find_watch(collection, found.watch));
  if (!watch || !watch->webhook || !watch->enabled) {
    return Error{Errc::invalid_argument, named(collection, id),
                 !watch            ? "its watch was removed"
                 : !watch->webhook ? "its watch has no webhook"
                                   : "its watch is disabled",
                 "PUT the watch with a webhook, enabled"};
  }
  found.delivery = {.state = DeliveryState::pending, .last_error = {}, .next_attempt = time_now()};
  const Journal::Place place(found.collection, found.sequence);
  AKIN_CHECK(journal_->retry_delivery(place, found.delivery));
  deliveries_->add(place, *found.delivery.next_attempt);
  return found;
}

}  // namespace akin::watch
