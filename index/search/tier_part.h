// Selects the features of one tier from a document's stored features.
#pragma once

#include "index/store/store.h"

namespace akin {

/// The number of features that a document has in a tier. Error: invalid_argument (it was stored without it).
[[nodiscard]] Result<std::uint64_t> size_in_tier(const DocumentRecord& record, std::size_t tier);

/// `all`: the document's whole sequence. Errors: invalid_argument (it was stored without the tier), corrupt
/// (record and sequence have different numbers of features).
[[nodiscard]] Result<FeatureSequence> part_of_document(FeatureSequence all, const DocumentRecord& record,
                                                       std::size_t tier);

}  // namespace akin
