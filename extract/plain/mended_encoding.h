// Cyrillic text that was decoded as Latin: "Ïðèâåò" is "Привет" in windows-1251, read as windows-1252. Fonts
// of old PDFs call Cyrillic letters by Latin names, and old files were converted by the wrong table.
#pragma once

#include <string>

#include "extract/document.h"

namespace akin::extract {

/// Restores such words in the text, the title, the authors, the parts and the hidden text, and reports them
/// as mended_encoding. The encoding (windows-1251, KOI8-R or IBM866) is the one whose letters are distributed
/// as Russian ones are. Only words without a letter of ASCII are changed, and only if there are kLeastMended
/// of three or more letters and they are a share of kLeastMendedShare of all such words. No code point is
/// added or removed, so ranges stay valid.
void mend_encoding(Document& document);
inline constexpr std::size_t kLeastMended = 10;
inline constexpr double kLeastMendedShare = 0.1;

}  // namespace akin::extract
