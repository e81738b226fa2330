// Whether a text has a word at all, without a dictionary.
#pragma once

#include <string_view>

namespace akin {

/// Whether scan_text would find a word: false for an empty text, and for one of white space, punctuation,
/// symbols and other marks alone. Requires well-formed UTF-8. Stops at the first character that makes a word.
[[nodiscard]] bool has_word(std::string_view utf8);

}  // namespace akin
