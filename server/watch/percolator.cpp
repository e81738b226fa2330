#include "server/watch/percolator.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/hash.h"
#include "index/codec/feature_counts.h"
#include "index/search/ranking.h"

namespace akin::watch {

namespace {

struct Entry {
  Feature feature{};
  std::uint32_t query = 0;
  std::uint32_t count = 0;
};

std::vector<Entry> entries_of(const std::vector<StandingQuery>& queries) {
  std::vector<Entry> entries;
  for (std::uint32_t query = 0; query < queries.size(); ++query) {
    for (const auto& [feature, count] : count_features(queries[query].features->hashes))
      entries.push_back({feature, query, count});
  }
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::tuple(entry.feature, entry.query); });
  return entries;
}

}  // namespace

Percolator::Percolator(const std::vector<StandingQuery>& queries) : sums_(queries.size(), 0) {
  for (const StandingQuery& query : queries)
    least_.push_back(least_overlap(query.bound, query.min_containment, query.features->hashes.size()));
  const std::vector<Entry> entries = entries_of(queries);
  slots_.resize(std::bit_ceil(2 * entries.size() + 1));
  postings_.reserve(entries.size());
  for (std::size_t at = 0; at < entries.size();) {
    const Feature feature = entries[at].feature;
    Slot slot{feature, static_cast<std::uint32_t>(at), 0};
    for (; at < entries.size() && entries[at].feature == feature; ++at)
      postings_.push_back({entries[at].query, entries[at].count});
    slot.end = static_cast<std::uint32_t>(at);
    slots_[slot_of(feature)] = slot;
  }
}

std::size_t Percolator::slot_of(Feature feature) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mix64(static_cast<std::uint64_t>(feature)) & mask;
  while (slots_[at].begin != slots_[at].end && slots_[at].feature != feature) at = (at + 1) & mask;
  return at;
}

std::vector<QueryMatch> Percolator::match(const FeatureSequence& document) {
  std::vector<std::uint32_t> touched;
  for (const auto& [feature, count] : count_features(document.hashes)) {
    const Slot& slot = slots_[slot_of(feature)];
    for (std::uint32_t at = slot.begin; at < slot.end; ++at) {
      const Posting& posting = postings_[at];
      if (sums_[posting.query] == 0) touched.push_back(posting.query);
      sums_[posting.query] += std::min(posting.count, count);
    }
  }
  std::ranges::sort(touched);
  std::vector<QueryMatch> matches;
  for (const std::uint32_t query : touched) {
    if (sums_[query] >= least_[query]) matches.push_back({query, sums_[query]});
    sums_[query] = 0;
  }
  return matches;
}

}  // namespace akin::watch
