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
/// Hebrew, Devanagari, Greek, Armenian, Georgian, Chinese, Japanese and Korean, since there CLD2 looks at the
/// script alone, and letters exchanged for Thai ones would pass for Thai. Requires UTF-8. About fifty words
/// are enough; fewer are seldom recognized.
[[nodiscard]] std::string language_of(std::string_view utf8);

/// Which older language a text is in that passes for this one: Middle English ("enm") for English, Church
/// Slavonic or Old Russian ("cu") for Russian. Empty if in neither.
[[nodiscard]] std::string older_language_of(std::string_view code, std::string_view utf8);

/// "German" for "de" in English ("en"), "немецкий" in Russian ("ru"). The code if the locale has no name.
[[nodiscard]] std::string language_name(std::string_view code, std::string_view locale);

}  // namespace akin::check
