// Whether a text can be in the language that its file declares.
#pragma once

#include <cstdint>
#include <string_view>

#include "extract/document.h"

namespace akin::ingest {

/// What speaks against a language; share 0 if nothing does.
struct LanguageDoubt {
  std::uint64_t letters = 0;  ///< those of other scripts; all, if its words are of another language
  double share = 0;           ///< of the text's letters
};

/// Judges by scripts, as Unicode's locale data (CLDR) list them, and by words: four fifths of the letters
/// must be of other scripts, or the frequent words (stop_words.h) of another language must be a tenth of the
/// words, and either ten times as many as those of the declared one, or a hundredth of the letters must be
/// neither among those that it is written with nor among those of foreign words. For a declared language
/// without a list of words, the words must be a fifth, and the letters speak against it, too. Nothing speaks
/// against a language that ICU does not know or that is written in several scripts, nor in a text of fewer
/// than kLeastLanguageLetters. `tag`: of BCP 47. Looks at the first kLanguageBytes.
[[nodiscard]] LanguageDoubt doubt_language(std::string_view utf8, std::string_view tag);
inline constexpr std::size_t kLeastLanguageLetters = 2000;
inline constexpr std::size_t kLanguageBytes = std::size_t{1} << 18U;

/// Reports language_contradicted if something speaks against the document's own language. In DOCX and ODT
/// that is the language of the office program, of which the author knows nothing: it is not judged.
void report_contradicted_language(extract::Document& document);

}  // namespace akin::ingest
