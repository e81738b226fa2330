// A scheme over words in which synonyms count as one (edit 7 of Veretennikov 2009), as far as the dictionary
// knows them (dict/compile/synonyms.h).
#pragma once

#include <memory>

#include "morph/features/scheme_spec.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// `synonyms(of=SCHEME)`: the features that SCHEME would have if every word belonged to the class that names
/// its synonyms. Error: invalid_argument (SCHEME does not sum classes, or only generates candidates).
[[nodiscard]] Result<std::shared_ptr<const Scheme>> synonyms_scheme(const SchemeSpec& spec);

}  // namespace akin
