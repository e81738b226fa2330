// Which language a stretch of text is in, by CLD2's statistics of letter sequences and words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace akin::check {

/// Longer stretches are in no language: their words are longer than those of any.
inline constexpr std::size_t kMostLanguageBytes = std::size_t{8} << 10;

/// The language that nine tenths of a text are in: its code by ISO 639, such as "de". Empty if the letters
/// follow each other as in no language: they were exchanged, nobody meant a text, or it is in several
/// languages, or in one that CLD2 does not know. Also empty in scripts other than Latin, Cyrillic, Arabic,
/// Hebrew, Devanagari, Greek, Armenian and Georgian, since there CLD2 looks at the script alone, and letters
/// exchanged for Korean ones would pass for Korean. Requires UTF-8. About fifty words are enough; fewer are
/// seldom recognized.
[[nodiscard]] std::string language_of(std::string_view utf8);

/// "German" for "de" in English ("en"), "немецкий" in Russian ("ru"). The code if the locale has no name.
[[nodiscard]] std::string language_name(std::string_view code, std::string_view locale);

}  // namespace akin::check
