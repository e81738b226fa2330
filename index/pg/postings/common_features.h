// Features that many documents of a PostgreSQL store have.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/pg/postings/posting_reader.h"

namespace akin::pg {

/// Keeps of some document numbers, ascending, those that are in the directory.
using KeepExisting = std::function<Result<void>(std::vector<std::int64_t>& numbers)>;

/// Snapshot::common_features.
[[nodiscard]] Result<std::vector<Feature>> find_common(const PostingReader& reader,
                                                       const KeepExisting& keep_existing,
                                                       std::span<const Feature> features,
                                                       std::uint64_t limit);

}  // namespace akin::pg
