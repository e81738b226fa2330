// Search by the split statement: the hottest features of a query are left out of the first count, as many as
// cannot make a document a hit by themselves.
#pragma once

#include <vector>

#include "index/pg/connection.h"
#include "index/pg/schema.h"

namespace akin::pg {

/// A document that shares something with the query.
struct Candidate {
  std::int64_t document = 0;  ///< its number
  std::uint64_t x = 0;
};

/// Every document with X >= least (at least 1) against a multiset of features, in no order. Exact whatever
/// the hints say; they decide how fast it is.
[[nodiscard]] Result<std::vector<Candidate>> find_candidates(Connection& connection, StoreNumber store,
                                                             const FeatureSequence& query,
                                                             std::uint64_t least);

}  // namespace akin::pg
