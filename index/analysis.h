// Source documents → documents for a store.
#pragma once

#include <vector>

#include "index/collection.h"

namespace akin {

/// The features of all texts, derived on all cores. The first error (in the order of the documents) names
/// its document.
[[nodiscard]] Result<std::vector<FeatureSequence>> analyze_all(const std::vector<SourceDocument>& documents,
                                                               const Dictionary& dictionary,
                                                               const Scheme& scheme);

/// The document to store. Views `source` and `features`.
[[nodiscard]] NewDocument new_document(const SourceDocument& source, const FeatureSequence& features);

}  // namespace akin
