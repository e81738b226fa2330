// All pairs and groups of the documents that a filter selects.
#pragma once

#include <optional>

#include "base/error.h"
#include "index/store/store.h"
#include "server/filter/filter.h"

namespace akin::api {

/// As Snapshot::pairs, but only the pairs of which both documents satisfy the filter; without a filter, all.
/// PairsSummary::pairs counts the former. Reads the record of each document of a pair once, and keeps its id
/// with the outcome.
[[nodiscard]] Result<PairsSummary> pairs_of(const Snapshot& snapshot, const PairsRequest& request,
                                            const std::optional<filter::Filter>& filter,
                                            const PairVisitor& visit);

/// As Snapshot::groups, of the same pairs.
[[nodiscard]] Result<GroupsSummary> groups_of(const Snapshot& snapshot, const PairsRequest& request,
                                              const std::optional<filter::Filter>& filter,
                                              const GroupVisitor& visit);

}  // namespace akin::api
