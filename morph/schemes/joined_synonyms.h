// A scheme over words of which synonyms count as one (edit 7 of Veretennikov 2009), as far as the dictionary
// knows them (dict/synonyms.h).
#pragma once

#include <memory>

#include "morph/schemes/scheme.h"
#include "morph/schemes/scheme_spec.h"

namespace akin {

/// `synonyms(of=SCHEME)`: the features that SCHEME would have if every word stood in the class that its
/// synonyms are called by. Error: invalid_argument (SCHEME sums no classes, or only nominates).
[[nodiscard]] Result<std::shared_ptr<const Scheme>> synonyms_scheme(const SchemeSpec& spec);

}  // namespace akin
