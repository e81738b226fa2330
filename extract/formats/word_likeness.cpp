#include "extract/formats/word_likeness.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace akin::extract {

namespace {

/// How often Russian has each letter from а to я, of a thousand; ё with е.
constexpr std::array<double, 32> kRussian = {80, 16, 45, 17, 30, 85, 9, 16, 74, 12, 35, 44, 32, 67, 110, 28,
                                             47, 55, 63, 26, 3,  10, 5, 14, 7,  4,  1,  19, 17, 3,  6,   20};
constexpr char32_t kFirstCyrillic = 0x430, kEndOfCyrillic = 0x450;

/// What a letter says for a reading, and what speaks against it.
constexpr double kLetter = 1, kNoLetter = -1, kOtherScript = -2, kCapitalInside = -1, kCapitals = -.3;

bool is_letter(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }
bool is_blank(char32_t c) { return c == U' ' || c == U'\n' || c == U'\r' || c == U'\t'; }

/// Whether a mark of typography is where all languages have it, between the characters beside it: an
/// apostrophe or a dash at a letter, a dash between blanks, a quotation mark at the edge of a word.
bool is_in_place(char32_t mark, char32_t before, char32_t after) {
  constexpr char32_t kApostrophe = U'\u2019';
  const bool letter_before = is_letter(before), letter_after = is_letter(after);
  switch (mark) {
    case kApostrophe:
      return letter_before;
    case U'\u2013':
    case U'\u2014':
      return letter_before || letter_after || (is_blank(before) && is_blank(after));
    case U'\u2026':
      return letter_before || letter_after;
    case U'\u2018':
    case U'\u201C':
      return letter_after && !letter_before;
    case U'\u201D':
      return letter_before && !letter_after;
    default:
      return false;
  }
}

}  // namespace

double word_likeness(std::string_view utf8) {
  double sum = 0;
  char32_t before = 0;
  UScriptCode script_before = USCRIPT_COMMON;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = next_code_point(utf8, at);
    const auto u = static_cast<UChar32>(c);
    const bool letter = u_isalpha(u) != 0;
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = letter ? uscript_getScript(u, &error) : USCRIPT_COMMON;
    if (c >= 0x80) {
      const auto small = static_cast<char32_t>(u_tolower(u));
      sum += letter ? kLetter : kNoLetter;
      if (small >= kFirstCyrillic && small < kEndOfCyrillic) sum += kRussian[small - kFirstCyrillic] / 100;
    }
    if (letter && u_isalpha(static_cast<UChar32>(before)) != 0) {
      if (script != script_before) sum += kOtherScript;
      if (u_isupper(u) != 0) sum += u_islower(static_cast<UChar32>(before)) != 0 ? kCapitalInside : kCapitals;
    }
    before = c;
    script_before = script;
  }
  return sum;
}

double fit_of_letters(std::string_view utf8) {
  // Small letters, those of loans too, of each language.
  constexpr std::array<std::u32string_view, 20> kLanguages = {
      U"æøåéäöü",             // Danish, Norwegian
      U"åäöéü",               // Swedish, Finnish
      U"äöüßé",               // German
      U"àâæçèéêëîïôœùûüÿ",    // French
      U"áéíñóúüçàèòï·ºª",     // Spanish, Catalan
      U"àáâãçéêíóôõúüºª",     // Portuguese
      U"àèéìíîòóùúºª",        // Italian
      U"áéíóú",               // Irish
      U"áäčďéěíňóöřšťúůüýž",  // Czech
      U"áäčďéíľĺňóôŕšťúýž",   // Slovak
      U"ąćęłńóśźż",           // Polish
      U"áéíóöőúüű",           // Hungarian
      U"ăâîșțşţ",             // Romanian
      U"čćđšž",               // Croatian, Slovene
      U"äöõüšž",              // Estonian
      U"āčēģīķļņōŗšūž",       // Latvian
      U"ąčęėįšųūž",           // Lithuanian
      U"ĉĝĥĵŝŭ",              // Esperanto
      U"ċġħżàèìòù",           // Maltese
      U"çğıöşüâîû",           // Turkish
  };
  constexpr std::u32string_view kWordsOfOneLetter = U"àáåéèêíóöøú";
  std::array<std::size_t, kLanguages.size()> fitting{};
  std::size_t all = 0;
  const std::u32string text = to_utf32(utf8);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<UChar32>(text[at]);
    if (c < 0x80) continue;
    const char32_t before = at > 0 ? text[at - 1] : U' ', after = at + 1 < text.size() ? text[at + 1] : U' ';
    const bool letter = u_isalpha(c) != 0, inside = is_letter(before);
    const bool in_place = is_in_place(text[at], before, after);
    if (!letter && !in_place && !(inside && is_letter(after))) continue;
    ++all;
    if (in_place)
      for (std::size_t& count : fitting) ++count;
    if (!letter || (u_isupper(c) && inside && u_islower(static_cast<UChar32>(text[at - 1])))) continue;
    const auto small = static_cast<char32_t>(u_tolower(c));
    const bool alone = is_blank(before) && is_blank(after);
    if (alone && kWordsOfOneLetter.find(small) == std::u32string_view::npos) continue;
    for (std::size_t language = 0; language < kLanguages.size(); ++language)
      fitting[language] += kLanguages[language].find(small) != std::u32string_view::npos ? 1 : 0;
  }
  return 2 * static_cast<double>(*std::ranges::max_element(fitting)) - static_cast<double>(all);
}

}  // namespace akin::extract
