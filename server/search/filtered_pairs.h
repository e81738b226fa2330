// All pairs and groups of the documents that a filter selects.
#pragma once

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "index/collection/collection.h"
#include "index/store/store.h"
#include "server/api/parameters.h"
#include "server/filter/filter.h"

namespace akin::api {

/// As Snapshot::pairs, but only of the documents that satisfy the filter; without a filter, of all. A filter
/// reads the records of all documents.
[[nodiscard]] Result<PairsSummary> pairs_of(const Snapshot& snapshot, const PairsRequest& request,
                                            const std::optional<filter::Filter>& filter,
                                            const PairVisitor& visit);

/// Which documents are one group.
enum class Linkage : std::uint8_t {
  single,    ///< those that pairs connect, directly or through others
  complete,  ///< those of which every two are a pair (link_completely)
};

/// Pairs or groups, as the parameters of findPairs and findGroups ask for them.
struct PairsQuestion {
  PairsRequest request;
  std::optional<filter::Filter> filter;
};
/// Without a collection, only checks what does not depend on one. Errors: invalid_argument (no condition,
/// although the pairs are not those of a search for reuse; no such tier; a malformed filter or amount of
/// memory), unsupported (a minimum containment in a scheme without).
[[nodiscard]] Result<PairsQuestion> pairs_question(const Parameters& parameters,
                                                   const Collection* collection);

/// As Snapshot::groups, of the same pairs. Complete linkage compares two of the documents with one text.
/// Complete linkage keeps as many pairs as the request's memory holds. Errors: too_large (more than these),
/// those of Snapshot::groups.
[[nodiscard]] Result<GroupsSummary> groups_of(const Snapshot& snapshot, const PairsRequest& request,
                                              const std::optional<filter::Filter>& filter, Linkage linkage,
                                              const GroupVisitor& visit);

}  // namespace akin::api
