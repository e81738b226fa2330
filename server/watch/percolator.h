// Percolation: which of many stored queries does a document match? An inverted index of the queries: the
// document is looked up in it, as a query is looked up among documents.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "morph/schemes/scheme.h"

namespace akin::watch {

/// A query as percolation sees it.
struct StandingQuery {
  std::shared_ptr<const FeatureSequence> features;
  std::uint64_t bound = 3;
  double min_containment = 0.0;
};

struct QueryMatch {
  std::uint32_t query = 0;  ///< index into the list given to Percolator
  std::uint64_t x = 0;      ///< X(query, document)
};

/// Immutable. One thread at a time: a look-up uses the object's own counters.
class Percolator {
 public:
  /// Takes O(n log n) for n features in total.
  explicit Percolator(const std::vector<StandingQuery>& queries);

  /// Every query with X(query, document) > bound and X / |query| >= min_containment, by index: exactly those
  /// for which a search would list the document. Costs one look-up for each distinct feature of the document,
  /// and one addition for each query that has the feature.
  [[nodiscard]] std::vector<QueryMatch> match(const FeatureSequence& document);

 private:
  struct Posting {
    std::uint32_t query = 0;
    std::uint32_t count = 0;
  };
  /// The postings of one feature; empty if begin == end.
  struct Slot {
    Feature feature{};
    std::uint32_t begin = 0, end = 0;
  };
  /// Index of the feature's slot, or of the empty slot where it would be.
  [[nodiscard]] std::size_t slot_of(Feature feature) const noexcept;

  std::vector<std::uint64_t> least_;  ///< by query, the smallest x that matches
  std::vector<Posting> postings_;     ///< grouped by feature
  std::vector<Slot> slots_;           ///< open addressing, a power of two in size, at most half full
  std::vector<std::uint32_t> sums_;   ///< by query; zero between calls
};

}  // namespace akin::watch
