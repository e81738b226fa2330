// The features that a document has in one tier, of those that are stored of it.
#pragma once

#include "index/store.h"

namespace akin {

/// `all`: the document's whole sequence. Errors: invalid_argument (it was stored without the tier), corrupt
/// (record and sequence tell different numbers of features).
[[nodiscard]] Result<FeatureSequence> part_of_document(FeatureSequence all, const DocumentRecord& record,
                                                       std::size_t tier);

}  // namespace akin
