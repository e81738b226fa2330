// What one stored document shares with a query, where that is cheaper to find than all of its features.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "index/store.h"

namespace akin {

/// A Snapshot may implement this beside it: its engine can count single features of a document.
class SharedFeatures {
 public:
  virtual ~SharedFeatures() = default;
  /// overlap(query, Snapshot::features_in(id, tier)). Errors: as features_in.
  [[nodiscard]] virtual Result<Overlap> overlap_in(std::string_view id, std::size_t tier,
                                                   std::span<const Feature> query) const = 0;
  /// Snapshot::features_in, exact where the document shares features with the query: each other feature may
  /// be replaced by one that the query does not have. Errors: as features_in.
  [[nodiscard]] virtual Result<FeatureSequence> features_beside(std::string_view id, std::size_t tier,
                                                                const FeatureSequence& query) const = 0;
};

// The same of any snapshot.
[[nodiscard]] Result<Overlap> overlap_in(const Snapshot& snapshot, std::string_view id, std::size_t tier,
                                         std::span<const Feature> query);
[[nodiscard]] Result<FeatureSequence> features_beside(const Snapshot& snapshot, std::string_view id,
                                                      std::size_t tier, const FeatureSequence& query);

}  // namespace akin
