// Which of several readings of a few bytes is made of words.
#pragma once

#include <string_view>

namespace akin::extract {

/// How much a text looks like words, by its letters beyond ASCII: about 1 for each, more for those that are
/// frequent in Russian, less for what is not a letter, for words of two scripts and for capitals inside a
/// word. Comparable between readings of the same bytes. Requires well-formed UTF-8.
[[nodiscard]] double word_likeness(std::string_view utf8);

}  // namespace akin::extract
