// Candidate generation over the postings of a query's features.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/overlap/overlap_sums.h"
#include "index/pg/postings/posting_reader.h"
#include "index/search/shared_features.h"
#include "index/store/store.h"

namespace akin::pg {

/// As CandidateSearch, but also documents that are not in the directory or that the request does not accept.
/// The postings of `request.next`, unless null, are read with those of its query. Errors also: too_large
/// (document numbers that do not fit 32 bits), that of check_work.
[[nodiscard]] Result<std::vector<Candidate>> find_candidates(const PostingReader& reader,
                                                             const SearchRequest& request,
                                                             std::uint64_t least,
                                                             SharedFeatures* shared = nullptr);

/// Keeps of some document numbers, ascending, those that are in the directory.
using KeepExisting = std::function<Result<void>(std::vector<std::int64_t>& numbers)>;

/// Snapshot::common_features.
[[nodiscard]] Result<std::vector<Feature>> find_common(const PostingReader& reader,
                                                       const KeepExisting& keep_existing,
                                                       std::span<const Feature> features,
                                                       std::uint64_t limit);

}  // namespace akin::pg
