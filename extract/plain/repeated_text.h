// Lines that a text has again and again: running heads that an extraction kept, or padding that makes the
// rest of a text a smaller part of it.
#pragma once

#include "extract/document.h"

namespace akin::extract {

/// Reports repeated_text if lines of kLeastRepeatedLetters or more that occur three times or more make
/// kLeastRepeatedShare of the letters, and kLeastRepeated; the first of each line counts for nothing. Lines
/// are equal if their letters are, whatever the case, the digits and the Roman numerals. Rows of tables
/// repeat honestly: pieces that are tables, lines with tabs, and those with more marks than letters, as
/// tables in markup have, do not count. Looks at the first kExaminedBytes.
///
/// Reports it, too, if one word comes back after every one to five others of its line ("the ZX cat ZX sat"),
/// so often that it is a seventh of all words or more, mostly without a mark between; the share is that of
/// the words among which it does.
void report_repeated_text(Document& document);
inline constexpr std::size_t kLeastRepeatedLetters = 30;
inline constexpr double kLeastRepeatedShare = 0.05;
inline constexpr std::size_t kLeastRepeated = 300;  ///< letters in all: less is chance in a short text
inline constexpr std::size_t kExaminedBytes = std::size_t{4} << 20U;

}  // namespace akin::extract
