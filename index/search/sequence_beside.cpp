#include "index/search/sequence_beside.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "index/overlap/overlap.h"

namespace akin {

SequenceBeside::SequenceBeside(StoredSequence stored, std::span<const Feature> query)
    : stored_(std::move(stored)), query_(query) {
  if (stored_.shift == 0) return;
  asked_.assign(query.begin(), query.end());
  std::sort(asked_.begin(), asked_.end());
  asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
}

std::uint64_t SequenceBeside::leading_of(Feature feature) const noexcept {
  return static_cast<std::uint64_t>(feature) >> stored_.shift;
}

/// The query's features with the leading bits `leading`.
std::span<const Feature> SequenceBeside::with_leading(Feature leading) const noexcept {
  const auto bits = static_cast<std::uint64_t>(leading);
  const auto first = std::lower_bound(asked_.begin(), asked_.end(), Feature{bits << stored_.shift});
  const auto last = std::find_if(first, asked_.end(), [&](Feature one) { return leading_of(one) != bits; });
  return {first, last};
}

/// A feature with these leading bits that the query does not have.
Feature SequenceBeside::other_with_leading(Feature leading) const noexcept {
  std::uint64_t other = static_cast<std::uint64_t>(leading) << stored_.shift;
  for (const Feature taken : with_leading(leading))
    other += static_cast<std::uint64_t>(taken) == other ? 1 : 0;
  return Feature{other};
}

std::optional<FeatureSequence> SequenceBeside::sharing(std::uint64_t x) const {
  if (stored_.shift == 0) return stored_.sequence;
  const auto are_alike = [this](Feature left, Feature right) {
    return leading_of(left) == leading_of(right);
  };
  if (std::adjacent_find(asked_.begin(), asked_.end(), are_alike) != asked_.end()) return std::nullopt;
  FeatureSequence likely = stored_.sequence;
  for (Feature& hash : likely.hashes) {
    const std::span<const Feature> same = with_leading(hash);
    hash = same.empty() ? other_with_leading(hash) : same.front();
  }
  // Comparing leading bits counts too many features, never too few: if the sum is the true one, all are
  // equal.
  if (overlap(query_, likely.hashes).x != x) return std::nullopt;
  return likely;
}

std::vector<Feature> SequenceBeside::possible() const {
  std::vector<Feature> possible;
  if (stored_.shift == 0) return possible;
  for (const Feature hash : stored_.sequence.hashes) {
    const std::span<const Feature> same = with_leading(hash);
    possible.insert(possible.end(), same.begin(), same.end());
  }
  std::sort(possible.begin(), possible.end());
  possible.erase(std::unique(possible.begin(), possible.end()), possible.end());
  return possible;
}

FeatureSequence SequenceBeside::complete(const std::function<bool(Feature)>& has) && {
  if (stored_.shift == 0) return std::move(stored_.sequence);
  std::unordered_map<Feature, Feature> whole;  // by leading bits that the query has too
  for (Feature& hash : stored_.sequence.hashes) {
    const std::span<const Feature> same = with_leading(hash);
    if (same.empty()) {
      hash = other_with_leading(hash);
      continue;
    }
    const auto [known, is_new] = whole.emplace(hash, other_with_leading(hash));
    if (is_new) {
      const auto own = std::find_if(same.begin(), same.end(), has);
      if (own != same.end()) known->second = *own;
    }
    hash = known->second;
  }
  return std::move(stored_.sequence);
}

}  // namespace akin
