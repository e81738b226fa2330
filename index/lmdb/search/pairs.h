// Pairs and groups of an LMDB store, reported with ids, and features that many documents have.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/lmdb/documents/reading.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/store/pair_request.h"
#include "index/store/store.h"

namespace akin {

/// As Snapshot::pairs, as of the transaction.
[[nodiscard]] Result<PairsSummary> tell_pairs(Reading reading, const PairsRequest& request,
                                              const PairVisitor& visit);

/// As Snapshot::groups.
[[nodiscard]] Result<GroupsSummary> tell_groups(Reading reading, const PairsRequest& request,
                                                const GroupVisitor& visit);

/// Snapshot::common_features as of the transaction. Looks each feature up; reads a list only if tombstoned
/// documents in it decide. Error: corrupt.
[[nodiscard]] Result<std::vector<Feature>> find_common(Reading reading, LookUps& look_ups,
                                                       std::span<const Feature> features,
                                                       std::uint64_t limit);

/// Snapshot::most_common as of the transaction. Error: corrupt.
[[nodiscard]] Result<std::vector<CommonFeature>> list_most_common(Reading reading, std::size_t count,
                                                                  std::optional<std::size_t> tier);

}  // namespace akin
