// What a check searches for in the tiers of one collection.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "index/search/common_features.h"
#include "index/search/text_aligner.h"
#include "server/check/compared.h"
#include "server/check/engine.h"

namespace akin::check {

/// The compared features without those that a policy leaves out in a collection, and those by which no
/// document is found. What the constructor gets must outlive this.
class Searched {
 public:
  /// `compared`: one for each analysis.
  Searched(const Policy& policy, const std::vector<Compared>& compared) noexcept
      : policy_(policy), compared_(compared) {}

  /// Turns to a collection; sets `common` of its state if the policy has a limit. If it has none, and
  /// passages are aligned (`aligner` is set), sets aside the features that more than kCommonDocuments
  /// documents have, and in tiers without alignment those that say little (TextAligner::slight_features).
  [[nodiscard]] Result<void> choose(const SearchedCollection& collection, const TextAligner* aligner,
                                    IndexState& state);

  [[nodiscard]] const FeatureSequence& in(const SearchedTier& tier) const;
  /// Features by which no document is found.
  [[nodiscard]] CommonSeeds& set_aside_in(const SearchedTier& tier);

 private:
  const Policy& policy_;
  const std::vector<Compared>& compared_;
  std::map<std::size_t, FeatureSequence> rare_;  ///< by tier, if not all features count
  std::map<std::size_t, CommonSeeds> aside_;     ///< by tier
};

}  // namespace akin::check
