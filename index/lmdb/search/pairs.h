// All pairs and groups of an LMDB store, reported with ids.
#pragma once

#include "index/lmdb/documents/reading.h"
#include "index/store/pair_request.h"

namespace akin {

/// As Snapshot::pairs, as of the transaction.
[[nodiscard]] Result<PairsSummary> tell_pairs(Reading reading, const PairsRequest& request,
                                              const PairVisitor& visit);

/// As Snapshot::groups.
[[nodiscard]] Result<GroupsSummary> tell_groups(Reading reading, const PairsRequest& request,
                                                const GroupVisitor& visit);

}  // namespace akin
