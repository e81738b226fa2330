// Candidate generation by a split statement: the most frequent features of a query are left out of the first
// count, as many as cannot make a document a hit alone.
#pragma once

#include <span>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/schema.h"

namespace akin::pg {

/// $1: keys to count, in the buckets $4; $2: the number of them that a document must have; $3: keys to look
/// up for such documents only, in the buckets $5. Rows: doc, how many of all these keys it has. With shards,
/// every server is queried twice, all concurrently, and counts its own documents.
inline constexpr const char* kSearch =
    "WITH c AS MATERIALIZED (SELECT doc, count(*) AS n FROM akin.all_postings_@ WHERE bucket = ANY($4) AND "
    "key = ANY($1)"
    " GROUP BY doc HAVING count(*) >= $2), h AS MATERIALIZED (SELECT doc, count(*) AS m FROM "
    "akin.all_postings_@"
    " WHERE bucket = ANY($5) AND key = ANY($3) AND doc = ANY(ARRAY(SELECT doc FROM c)) GROUP BY doc)"
    " SELECT c.doc, c.n + coalesce(h.m, 0) AS x FROM c LEFT JOIN h USING (doc)";

/// A document that shares features with the query.
struct Candidate {
  std::int64_t document = 0;  ///< its number
  std::uint64_t x = 0;
};

/// Every document with X >= least (at least 1) against a multiset of features, in no order, and perhaps some
/// that are not in the directory. Exact whatever the list of frequent features says, which only affects
/// speed. `levels`: those of the store (segments.h).
[[nodiscard]] Result<std::vector<Candidate>> find_candidates(Connection& connection, StoreNumber store,
                                                             std::span<const int> levels,
                                                             const FeatureSequence& query,
                                                             std::uint64_t least);

}  // namespace akin::pg
