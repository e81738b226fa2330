// Whether a text can be in the language that its file declares.
#pragma once

#include <string_view>

#include "extract/document.h"

namespace akin::extract {

/// What speaks against a language; share 0 if nothing does.
struct LanguageDoubt {
  std::uint64_t letters = 0;  ///< that the language does not have; all, if it has letters that the text lacks
  double share = 0;           ///< of the text's letters
};

/// Judges by letters, as Unicode's locale data (CLDR) list them: those of other scripts must be four fifths
/// of the text's, or those of the language's script that it does not have a hundredth, or a letter that is
/// frequent in it (ы or э in Russian, ä, ö, ü or ß in German) must be missing. So a language that has no
/// letters of its own, as English, cannot be distinguished from another such. Nothing speaks against a
/// language that ICU does not know or that is written in several scripts, nor in a text of fewer than
/// kLeastLanguageLetters. `tag`: of BCP 47. Looks at the first kLanguageBytes.
[[nodiscard]] LanguageDoubt doubt_language(std::string_view utf8, std::string_view tag);
inline constexpr std::size_t kLeastLanguageLetters = 2000;
inline constexpr std::size_t kLanguageBytes = std::size_t{1} << 18U;

/// Reports language_contradicted if something speaks against the document's own language.
void report_contradicted_language(Document& document);

}  // namespace akin::extract
