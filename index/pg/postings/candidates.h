// Candidate generation: counts, in the postings of a query's features, how many each document has. The most
// frequent features are left out of the first count, as many as cannot make a document a hit alone, and
// looked up only for documents that can still be hits.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/overlap/overlap_sums.h"
#include "index/pg/postings/posting_reader.h"

namespace akin::pg {

/// Every document with X >= least (at least 1) against a multiset of features, in no order, and perhaps some
/// that are not in the directory. Errors also: too_large (document numbers that do not fit 32 bits), that of
/// check_work. `next`, unless null: a query whose postings are read with those of this one.
[[nodiscard]] Result<std::vector<Candidate>> find_candidates(const PostingReader& reader,
                                                             const FeatureSequence& query,
                                                             std::uint64_t least,
                                                             const FeatureSequence* next = nullptr);

/// Keeps of some document numbers, ascending, those that are in the directory.
using KeepExisting = std::function<Result<void>(std::vector<std::int64_t>& numbers)>;

/// Snapshot::common_features.
[[nodiscard]] Result<std::vector<Feature>> find_common(const PostingReader& reader,
                                                       const KeepExisting& keep_existing,
                                                       std::span<const Feature> features,
                                                       std::uint64_t limit);

}  // namespace akin::pg
