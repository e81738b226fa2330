// All pairs and groups of an LMDB store, told with ids.
#pragma once

#include "index/pair_request.h"
#include "index/reading.h"

namespace akin {

/// As Snapshot::pairs, as of the transaction.
[[nodiscard]] Result<PairsSummary> tell_pairs(Reading reading, const PairsRequest& request,
                                              const PairVisitor& visit);

/// As Snapshot::groups.
[[nodiscard]] Result<GroupsSummary> tell_groups(Reading reading, const PairsRequest& request,
                                                const GroupVisitor& visit);

}  // namespace akin
