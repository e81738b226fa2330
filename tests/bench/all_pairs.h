// All pairs of similar documents of a snapshot.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "index/store/store.h"

namespace akin::bench {

/// Two documents, each pair reported once, in either order. The ids live through the visit.
struct SimilarPair {
  std::string_view a, b;
  Overlap overlap;
};

/// Pairs with X > bound of which at least one document has `min_containment` of itself in the other.
struct PairsWanted {
  std::uint64_t bound = 3;
  double min_containment = 0.5;
  std::uint64_t memory = std::uint64_t{1} << 30U;  ///< bytes
};

/// From the index, by akin's own all-pairs. Throws std::runtime_error.
void all_pairs(const Snapshot& snapshot, const PairsWanted& wanted,
               const std::function<void(const SimilarPair&)>& visit);

/// The same by one search for each document: what one would do without all-pairs.
void pairs_by_searches(const Snapshot& snapshot, const PairsWanted& wanted,
                       const std::function<void(const SimilarPair&)>& visit);

}  // namespace akin::bench
