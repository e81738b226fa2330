// Scans parts of a text.
#pragma once

#include <string_view>

#include "dict/dictionary.h"
#include "morph/text/scanner.h"

namespace akin {

/// Scans a stretch of a text, or of its arrangement (arrangement.h), as it is: without the checks of
/// scan_text, and without looking for edits. Places count from the stretch's beginning.
void scan_stretch(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink);

}  // namespace akin
