// The watches of a collection as the follower matches them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "morph/schemes/tiers.h"
#include "server/filter/filter.h"
#include "server/watch/follower.h"

namespace akin::watch {

/// A watch with the features of its text.
struct Follower::Standing {
  Watch watch;
  std::shared_ptr<const FeatureSequence> features;  ///< of all tiers
  std::optional<filter::Filter> filter;

  /// Whether the filter of the watch accepts this document.
  [[nodiscard]] bool wants(const DocumentRecord& document) const {
    return watch.document != document.id && (!filter || filter->accepts(document));
  }
};

/// The cached state of a collection: its watches as of `number`, analysed under `analysis`.
struct Follower::Followed {
  std::uint64_t number = 0;  ///< 0 while they are being read
  std::uint64_t memory = 0;
  std::string analysis;
  std::map<std::string, Standing> by_name;
  std::vector<const Standing*> standing;  ///< the enabled ones
  /// A query of the percolator: a watch, or one tier of it.
  struct Query {
    const Standing* standing = nullptr;
    TierQuery tier;  ///< without features
  };
  std::vector<Query> queries;
  std::optional<Percolator> percolator;
  bool caught_up = true;  ///< no watch has old documents left to match
};

[[nodiscard]] inline FeatureSequence in_tier_of(const FeatureSequence& all, std::size_t tier) {
  return part_in_tier(all, all.tier_sizes, tier);
}

}  // namespace akin::watch
