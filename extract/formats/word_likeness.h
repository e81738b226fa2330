// Which of several readings of a few bytes is made of words.
#pragma once

#include <string_view>

namespace akin::extract {

/// How much a text looks like words, by its letters beyond ASCII: about 1 for each, more for those that are
/// frequent in Russian, less for what is not a letter, for words of two scripts and for capitals inside a
/// word. Comparable between readings of the same bytes. Requires well-formed UTF-8.
[[nodiscard]] double word_likeness(std::string_view utf8);

/// How many of a text's characters beyond ASCII are letters of one language, less those that are not; of the
/// language that has most of them, among those in Latin letters that were written in several encodings.
/// Capitals after a small letter are none, and neither is a letter alone that is not a word. Apostrophes,
/// dashes and quotation marks are as good as letters where words have them; other marks count only between
/// letters. Comparable between readings of the same bytes. Requires well-formed UTF-8.
[[nodiscard]] double fit_of_letters(std::string_view utf8);

}  // namespace akin::extract
