#pragma once

#include <memory>
#include <string_view>

#include "dict/dictionary.h"

namespace akin {

/// A dictionary of just these words (separated by blanks), made in a folder that is removed again. Every word
/// is a lemma of its own; "a/b" makes b a form of the lemma a.
[[nodiscard]] std::shared_ptr<const Dictionary> tiny_dictionary(std::string_view words);

}  // namespace akin
