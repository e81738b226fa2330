// How the follower reads the watches of a collection.
#include <utility>

#include "server/json/quoted.h"
#include "server/watch/followed.h"

namespace akin::watch {

/// Whether there is memory for the watches of a collection beside those of others, of which it drops what is
/// no longer needed.
Result<void> Follower::check_memory(const std::string& collection) {
  AKIN_TRY(std::uint64_t memory, journal_->memory_of_watches(collection));
  for (auto& [name, other] : followed_) {
    if (name == collection || other.memory == 0) continue;
    AKIN_TRY(const std::uint64_t needed, journal_->memory_of_watches(name));
    if (needed < other.memory) other = Followed();
    memory += other.memory;
  }
  if (memory <= options_.memory) return {};
  return Error{Errc::too_large, "watches of collection " + json::in_quotes(collection),
               "take, with those of other collections, more than the " +
                   std::to_string(options_.memory >> 20U) + " MiB for watches, so they are not matched",
               "delete some, or raise --watch-memory"};
}

/// Reads the watches, and analyses the texts that are new; false if more of these are left for the next step.
Result<bool> Follower::load(Followed& followed, const std::string& collection, const Arrivals& arrivals) {
  const Result<void> fits = check_memory(collection);
  if (fits.has_error()) {
    followed = Followed();
    return fits.error();
  }
  AKIN_TRY(WatchSet set, journal_->watch_set(collection));
  Followed fresh;
  std::size_t analyzed = 0;
  bool complete = true;
  fresh.analysis = arrivals.analysis();
  for (Watch& watch : set.watches) {
    if (!watch.enabled) continue;
    const auto known = followed.by_name.find(watch.name);
    const bool usable = known != followed.by_name.end() && known->second.watch.version == watch.version &&
                        followed.analysis == fresh.analysis;
    if (!usable && analyzed >= options_.step_text) {
      complete = false;
      continue;
    }
    Standing standing;
    if (usable) {
      standing.features = known->second.features;
    } else {
      AKIN_TRY(const std::string text, journal_->text(collection, watch.name));
      AKIN_TRY(FeatureSequence features, arrivals.analyze(text));
      standing.features = std::make_shared<const FeatureSequence>(std::move(features));
      analyzed += text.size();
    }
    if (!watch.filter.empty()) {
      AKIN_TRY(standing.filter, filter::Filter::parse(watch.filter));
    }
    fresh.caught_up = fresh.caught_up && !watch.caught_up_to;
    fresh.memory += Journal::memory_of_watch(watch.code_points);
    const std::string name = watch.name;
    standing.watch = std::move(watch);
    fresh.standing.push_back(&fresh.by_name.emplace(name, std::move(standing)).first->second);
  }
  if (complete) {
    std::vector<StandingQuery> queries;
    for (const Standing* standing : fresh.standing) add_queries(fresh, *standing, arrivals, queries);
    fresh.percolator.emplace(queries);
    fresh.number = set.number;
  }
  followed = std::move(fresh);  // the map's nodes keep their addresses
  return complete;
}

void Follower::add_queries(Followed& followed, const Standing& standing, const Arrivals& arrivals,
                           std::vector<StandingQuery>& queries) {
  std::vector<TierQuery> tiers = standing.watch.reuse ? arrivals.reuse() : std::vector<TierQuery>();
  if (tiers.empty()) {
    tiers.push_back({.tier = 0,
                     .query = {},
                     .bound = standing.watch.bound,
                     .min_containment = standing.watch.min_containment});
  }
  for (TierQuery& tier : tiers) {
    auto features = std::make_shared<const FeatureSequence>(in_tier_of(*standing.features, tier.tier));
    queries.push_back({std::move(features), tier.bound, tier.min_containment});
    followed.queries.push_back({&standing, std::move(tier)});
  }
}

}  // namespace akin::watch
