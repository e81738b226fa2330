// All pairs and groups of the documents that a filter selects.
#pragma once

#include <cstdint>
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

/// Which documents are one group.
enum class Linkage : std::uint8_t {
  single,    ///< those that pairs connect, directly or through others
  complete,  ///< those of which every two are a pair (link_completely)
};

/// As Snapshot::groups, of the same pairs. Complete linkage keeps as many pairs as the request's memory
/// holds. Errors: too_large (more than these), those of Snapshot::groups.
[[nodiscard]] Result<GroupsSummary> groups_of(const Snapshot& snapshot, const PairsRequest& request,
                                              const std::optional<filter::Filter>& filter, Linkage linkage,
                                              const GroupVisitor& visit);

}  // namespace akin::api
