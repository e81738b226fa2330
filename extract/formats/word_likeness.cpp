#include "extract/formats/word_likeness.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

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

}  // namespace akin::extract
