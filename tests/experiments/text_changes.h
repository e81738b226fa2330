// Changes of a text that keep its words for a reader, as functions from text to text with a share and a seed.
#pragma once

#include <unicode/uchar.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace akin::experiments {

/// A text as its paragraphs, without line breaks.
using Paragraphs = std::vector<std::u32string>;

/// Blank lines divide paragraphs; all other white space is one blank.
[[nodiscard]] Paragraphs paragraphs_of(std::string_view utf8);

/// The plain setting: a paragraph a line, a blank line after each. UTF-8.
[[nodiscard]] std::string as_set(const Paragraphs& text);

/// From a text to the changed one as UTF-8. Equal seeds give equal texts.
using Rewriting = std::function<std::string(const Paragraphs& text, std::uint32_t seed)>;

/// Its numbers are the same on every platform.
using Random = std::mt19937;
/// True with the probability `share`.
[[nodiscard]] inline bool chance(Random& random, double share) {
  return static_cast<double>(random()) < share * 4294967296.0;
}

[[nodiscard]] inline bool is_letter(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }
[[nodiscard]] inline bool is_blank(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }
[[nodiscard]] inline bool is_final(char32_t c) { return c == U'.' || c == U'!' || c == U'?' || c == U'…'; }

/// Calls `change(paragraph, index, output)` for each character, which appends to the output.
template <class Change>
[[nodiscard]] std::string per_letter(const Paragraphs& text, Change change) {
  Paragraphs out;
  for (const std::u32string& paragraph : text) {
    std::u32string& to = out.emplace_back();
    for (std::size_t i = 0; i < paragraph.size(); ++i) change(paragraph, i, to);
  }
  return as_set(out);
}

/// Letters of two scripts that look the same, at the same index.
struct LookAlikes {
  std::u32string_view cyrillic, latin;
};
inline constexpr LookAlikes kSixLetters = {U"аеорсхАЕОРСХ", U"aeopcxAEOPCX"};
inline constexpr LookAlikes kAllLetters = {U"аеорсухіАВЕКМНОРСТУХІ", U"aeopcyxiABEKMHOPCTYXI"};
inline constexpr LookAlikes kSmallLetters = {U"аеорсух", U"aeopcyx"};

/// Exchanges a share of the letters for those of the other script.
[[nodiscard]] Rewriting with_look_alikes(double share, const LookAlikes& letters);
/// Exchanges a share of the words all of whose letters have a twin.
[[nodiscard]] Rewriting with_look_alike_words(double share);
/// Puts `between` between the letters of a share of the words of two letters or more; each blank between
/// words becomes `gap`.
[[nodiscard]] Rewriting letterspaced(double share, std::u32string_view between,
                                     std::u32string_view gap = U" ");
/// Puts a combining mark on the first letter, or the first consonant, of a share of the words.
[[nodiscard]] Rewriting with_marks(double share, char32_t mark, bool consonants = false);
/// Digits for a share of the letters that resemble one; `inside`: never the first or last letter of a word.
[[nodiscard]] Rewriting with_digits(double share, bool inside);

}  // namespace akin::experiments
