// Leaves features that many documents have (boilerplate, stock phrases) out of a search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/store/store.h"

namespace akin {

/// The common features of a snapshot: those that more than `limit` of its documents have. Answers without
/// them are exact over the other features: X, |A| and |B| count only these. The snapshot must outlive it.
class CommonFeatures {
 public:
  /// Requires limit > 0.
  CommonFeatures(const Snapshot& snapshot, std::uint64_t limit) noexcept
      : snapshot_(&snapshot), limit_(limit) {}

  /// Those of the features that are common, ascending. Errors: as Snapshot::common_features.
  [[nodiscard]] Result<std::vector<Feature>> common_of(std::span<const Feature> features) const;

  /// Removes the common features from a query, with their ranges; the ranges of the others stay. Returns how
  /// many it removed, each occurrence counted. Errors: as Snapshot::common_features.
  [[nodiscard]] Result<std::uint64_t> leave_out(FeatureSequence& query) const;

  /// Sets |B| in a hit's overlaps to the number of features that are not common. Reads the document's stored
  /// features. `tier`: that of `hit.overlap` if the hit lists no tiers. Errors: as Snapshot::features_in.
  [[nodiscard]] Result<void> leave_out(Hit& hit, std::size_t tier) const;

  /// Of a stored document, how many features of a tier are not common. Errors: as Snapshot::features_in.
  [[nodiscard]] Result<std::uint64_t> remaining(const StoredDocument& document, std::size_t tier) const;

 private:
  const Snapshot* snapshot_;
  std::uint64_t limit_;
};

/// A search for reuse counts the documents that share only features with it which more documents than this
/// have, and does not list them.
inline constexpr std::uint64_t kCommonDocuments = 1'000;
/// If more documents than this and one for each feature of the query share other features with it, features
/// are common that half as many documents have, and so on, but none that no more than kLeastCommon have.
inline constexpr std::uint64_t kMostCandidates = 5'000;
inline constexpr std::uint64_t kLeastCommon = 125;

/// Features of a query that bring no document into an answer, and what they are.
struct CommonSeeds {
  std::uint64_t limit = kCommonDocuments;  ///< more documents have them
  std::vector<Feature> features = {};      ///< ascending
};

/// The documents that share other features with the query than those of `common`, whose limit is lowered if
/// they are too many. Ignores the limit and order of the request. Errors: as Snapshot::search.
[[nodiscard]] Result<SearchResult> search_beside(CommonSeeds& common, const Snapshot& snapshot,
                                                 SearchRequest request);

/// Where these features, which ascend, stand side by side in a query: from the first of them to the last.
[[nodiscard]] std::vector<TextRange> common_stretches(const FeatureSequence& query,
                                                      std::span<const Feature> common);

}  // namespace akin
