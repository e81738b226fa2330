// Features that many documents of an LMDB store have.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/lmdb/documents/reading.h"
#include "index/lmdb/postings/found_lists.h"
#include "index/store/store.h"

namespace akin {

/// Snapshot::common_features as of the transaction. Looks each feature up; reads a list only if tombstoned
/// documents in it decide. Error: corrupt.
[[nodiscard]] Result<std::vector<Feature>> find_common(Reading reading, LookUps& look_ups,
                                                       std::span<const Feature> features,
                                                       std::uint64_t limit);

/// Snapshot::most_common as of the transaction. Error: corrupt.
[[nodiscard]] Result<std::vector<CommonFeature>> list_most_common(Reading reading, std::size_t count,
                                                                  std::optional<std::size_t> tier);

}  // namespace akin
