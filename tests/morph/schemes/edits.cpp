#include "tests/morph/schemes/edits.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/utf8.h"

namespace akin::edits {
namespace {

using Letters = std::u32string;

bool is_letter(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }
bool is_vowel(char32_t c) {
  return std::u32string_view(U"аеёиоуыэюяіїєaeiouyäöüАЕЁИОУЫЭЮЯІЇЄAEIOUYÄÖÜ").find(c) !=
         std::u32string_view::npos;
}
bool is_cyrillic(char32_t c) { return c >= 0x400 && c < 0x530; }

std::function<std::string(const std::string&)> on_letters(Letters (*edit)(const Letters&)) {
  return [edit](const std::string& text) { return to_utf8(edit(to_utf32(text))); };
}

std::string replaced(std::string text,
                     const std::vector<std::pair<std::string_view, std::string_view>>& pairs) {
  for (const auto& [from, to] : pairs) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  }
  return text;
}

std::function<std::string(const std::string&)> replacing(
    std::vector<std::pair<std::string_view, std::string_view>> pairs) {
  return [pairs = std::move(pairs)](const std::string& text) { return replaced(text, pairs); };
}

/// Sets lines of at most `width` characters, broken at spaces.
Letters wrap(const Letters& text, std::size_t width, const Letters& line_break) {
  Letters out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(U" \n", at), text.size());
    out.append(text, at, end - at);
    column += end - at;
    if (end == text.size()) break;
    const std::size_t next = std::min(text.find_first_of(U" \n", end + 1), text.size());
    if (text[end] == U'\n') {
      out += U'\n';
      column = 0;
    } else if (column + next - end > width) {
      out += line_break;
      column = 0;
    } else {
      out += U' ';
      ++column;
    }
    at = end + 1;
    while (at < text.size() && text[end] == U' ' && text[at] != U'\n' &&
           u_isUWhiteSpace(static_cast<UChar32>(text[at])) != 0)
      ++at;
  }
  return out;
}

using Divisible = std::function<bool(std::string_view word)>;

/// Whether a word may be divided before text[i]: at least two letters on both sides, each side with a vowel.
bool may_divide(const Letters& text, std::size_t i, const Divisible& divisible) {
  std::size_t begin = i;
  std::size_t end = i;
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  while (end < text.size() && is_letter(text[end])) ++end;
  const auto has_vowel = [&](std::size_t from, std::size_t to) {
    return std::any_of(text.begin() + static_cast<std::ptrdiff_t>(from),
                       text.begin() + static_cast<std::ptrdiff_t>(to), is_vowel);
  };
  return i - begin >= 2 && end - i >= 2 && has_vowel(begin, i) && has_vowel(i, end) && !is_vowel(text[i]) &&
         text[i] != U'ь' && text[i] != U'ъ' && divisible(to_utf8(text.substr(begin, end - begin)));
}

/// Divides words by `hyphen` at every `step`-th place where that may be.
std::function<std::string(const std::string&)> dividing(std::size_t step, Letters hyphen,
                                                        Divisible divisible) {
  return [=](const std::string& utf8) {
    const Letters text = to_utf32(utf8);
    Letters out;
    std::size_t places = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (is_letter(text[i]) && i > last + 2 && may_divide(text, i, divisible) && ++places % step == 0) {
        out += hyphen;
        last = i;
      }
      out += text[i];
    }
    return to_utf8(out);
  };
}

Letters wrap_60(const Letters& text) { return wrap(text, 60, U"\n"); }
Letters wrap_indented(const Letters& text) { return wrap(text, 40, U"\n\t    "); }
Letters wrap_crlf(const Letters& text) { return wrap(text, 72, U" \r\n"); }
Letters wrap_separators(const Letters& text) { return wrap(text, 50, U"\u2028"); }
Letters word_a_line(const Letters& text) { return wrap(text, 0, U"\n"); }
Letters break_after_hyphens(const Letters& text) {
  Letters out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == U'-' && i > 0 && i + 1 < text.size() && is_letter(text[i - 1]) && is_letter(text[i + 1]))
      out += U'\n';
  }
  return out;
}
Letters stress(const Letters& text) {
  Letters out;
  std::size_t vowels = 0;
  for (const char32_t c : text) {
    out += c;
    if (is_vowel(c) && is_cyrillic(c) && ++vowels % 3 == 0) out += U'\u0301';
  }
  return out;
}
Letters zero_widths(const Letters& text) {
  Letters out = U"\ufeff";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside = i > 0 && is_letter(text[i - 1]) && is_letter(text[i]);
    if (inside && i % 5 == 0) out += U'\u200b';
    if (inside && i % 7 == 0) out += U"\u202a\u2060";
    out += text[i];
  }
  return out;
}
Letters all_yo(const Letters& text) {
  Letters out = text;
  for (char32_t& c : out) c = c == U'е' ? U'ё' : c == U'Е' ? U'Ё' : c;
  return out;
}
/// Letters exchanged for look-alikes of another script, in words that keep a letter of their own.
Letters disguise(const Letters& text) {
  constexpr std::u32string_view kCyrillicLetters = U"аеорсухАВЕКМНОРСТУХ";
  constexpr std::u32string_view kLatinLetters = U"aeopcyxABEKMHOPCTYX";
  Letters out = text;
  for (std::size_t begin = 0; begin < out.size();) {
    if (!is_letter(out[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    bool own = false;
    for (; end < out.size() && is_letter(out[end]); ++end) {
      own = own || std::u32string_view(U"бджзйлцчшщыъэюядfglqwß").find(out[end]) != std::u32string_view::npos;
    }
    for (std::size_t i = begin; own && i < end; ++i) {
      const bool cyrillic = is_cyrillic(out[i]);
      const std::size_t found = (cyrillic ? kCyrillicLetters : kLatinLetters).find(out[i]);
      if (found != std::u32string_view::npos) out[i] = (cyrillic ? kLatinLetters : kCyrillicLetters)[found];
    }
    begin = end;
  }
  return out;
}

std::string recased(const std::string& text, int letter_case) {
  icu::UnicodeString letters = icu::UnicodeString::fromUTF8(text);
  if (letter_case == 0) letters.toUpper(icu::Locale::getRoot());
  if (letter_case == 1) letters.toLower(icu::Locale::getRoot());
  if (letter_case == 2) letters.toTitle(nullptr, icu::Locale::getRoot());
  std::string out;
  letters.toUTF8String(out);
  return out;
}

std::string normalized(const std::string& text, const icu::Normalizer2* (*form)(UErrorCode&)) {
  UErrorCode error = U_ZERO_ERROR;
  std::string out;
  form(error)->normalize(icu::UnicodeString::fromUTF8(text), error).toUTF8String(out);
  return out;
}

}  // namespace

std::vector<Reformatting> reformattings(std::string_view language, const Divisible& divisible) {
  const Divisible every_word = [](std::string_view) { return true; };
  std::vector<Reformatting> all = {
      {"lines of 60", on_letters(wrap_60), true},
      {"narrow indented lines", on_letters(wrap_indented), true},
      {"lines ended by CR LF", on_letters(wrap_crlf), true},
      {"lines ended by U+2028", on_letters(wrap_separators), true},
      {"a word a line", on_letters(word_a_line), true},
      {"lines ended by CR", replacing({{"\n", "\r"}}), true},
      {"more blank lines", replacing({{"\n\n", "\n \n\t\n\n"}}), true},
      {"paragraph separators", replacing({{"\n\n", "\u2029"}}), true},
      {"hyphenated", dividing(5, U"-\n", divisible), true},
      {"hyphenated with indent", dividing(7, U"-\r\n\t  ", divisible), true},
      {"hyphenated, lines joined", dividing(7, U"- ", divisible), true},
      {"hyphenated by U+2010", dividing(5, U"\u2010\n", divisible), true},
      {"soft hyphens", dividing(1, U"\u00ad", every_word)},
      {"soft hyphens at line ends", dividing(5, U"\u00ad\n", divisible), true},
      {"broken after hyphens", on_letters(break_after_hyphens), true},
      {"non-breaking hyphens", replacing({{"-", "\u2011"}})},
      {"two spaces", replacing({{" ", "  "}})},
      {"no-break spaces", replacing({{" ", "\u00a0"}})},
      {"thin spaces and tabs", replacing({{" ", "\u2009\t\u3000"}})},
      {"upper case", [](const std::string& t) { return recased(t, 0); }},
      {"lower case", [](const std::string& t) { return recased(t, 1); }},
      {"title case", [](const std::string& t) { return recased(t, 2); }},
      {"straight quotes", replacing({{"«", "\""}, {"»", "\""}, {"“", "\""}, {"”", "\""}, {"„", "\""}})},
      {"guillemets for straight quotes", replacing({{"\"", "»"}, {"„", "«"}, {"“", "»"}})},
      {"curly quotes", replacing({{"«", "„"}, {"»", "“"}, {"\"", "”"}})},
      {"curly apostrophes", replacing({{"'", "’"}})},
      {"letter apostrophes", replacing({{"'", "ʼ"}})},
      {"acute accents for apostrophes", replacing({{"'", "´"}}), false, true},
      {"en dashes", replacing({{"—", "–"}})},
      {"two hyphens for dashes", replacing({{"—", "--"}, {"–", "--"}})},
      {"a hyphen for dashes between spaces", replacing({{" — ", " - "}, {" – ", " - "}})},
      {"ellipsis as one character", replacing({{"...", "…"}})},
      {"ellipsis as three stops", replacing({{"…", "..."}})},
      {"zero-width characters", on_letters(zero_widths)},
      {"look-alikes of another script", on_letters(disguise), false, true},
      {"NFC", [](const std::string& t) { return normalized(t, &icu::Normalizer2::getNFCInstance); }},
      {"NFD", [](const std::string& t) { return normalized(t, &icu::Normalizer2::getNFDInstance); }},
      {"NFKC", [](const std::string& t) { return normalized(t, &icu::Normalizer2::getNFKCInstance); }},
      {"NFKD", [](const std::string& t) { return normalized(t, &icu::Normalizer2::getNFKDInstance); }},
  };
  if (language == "ru" || language == "uk") all.push_back({"stress marks", on_letters(stress)});
  if (language == "ru") {
    all.push_back({"every е as ё", on_letters(all_yo)});
    all.push_back({"every ё as е", replacing({{"ё", "е"}, {"Ё", "Е"}})});
  }
  return all;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  const Letters letters = to_utf32(text);
  std::size_t byte = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i <= letters.size(); ++i) {
    if (i == letters.size() || u_isUWhiteSpace(static_cast<UChar32>(letters[i])) != 0) {
      if (end > begin) result.push_back(text.substr(begin, end - begin));
      begin = end = 0;
      if (i == letters.size()) break;
    }
    std::string one;
    append_utf8(one, letters[i]);
    if (u_isalnum(static_cast<UChar32>(letters[i])) != 0) {
      if (end == 0) begin = byte;
      end = byte + one.size();
    }
    byte += one.size();
  }
  return result;
}

std::string permute_words(std::string_view sentence, unsigned seed) {
  constexpr std::size_t kAfterMark = 3;
  const std::vector<std::string_view> places = words(sentence);
  const auto gap_after = [&](std::size_t i) {
    const char* from = places[i].data() + places[i].size();
    return i + 1 == places.size()
               ? std::string_view()
               : std::string_view(from, static_cast<std::size_t>(places[i + 1].data() - from));
  };
  const auto has_mark = [](std::string_view gap) {
    return gap.find_first_of(".!?") != std::string_view::npos || gap.find("…") != std::string_view::npos;
  };
  std::vector<std::size_t> free;
  std::size_t after_mark = kAfterMark;
  for (std::size_t i = 0; i < places.size(); ++i, ++after_mark) {
    const std::string_view before = i > 0 ? gap_after(i - 1) : std::string_view();
    const std::string_view after = gap_after(i);
    if (has_mark(before)) after_mark = 0;
    if (after_mark >= kAfterMark && !has_mark(after) && !before.starts_with('-') && !after.starts_with('-'))
      free.push_back(i);
  }
  std::vector<std::string_view> order = places;
  std::mt19937 random(seed);
  for (std::size_t i = free.size(); i > 1; --i) std::swap(order[free[i - 1]], order[free[random() % i]]);
  std::string out;
  const char* at = sentence.data();
  for (std::size_t i = 0; i < places.size(); ++i) {
    out.append(at, places[i].data());
    out += order[i];
    at = places[i].data() + places[i].size();
  }
  out.append(at, sentence.data() + sentence.size());
  return out;
}

std::string replace_word(std::string_view text, std::string_view word, std::string_view by) {
  std::string out;
  const char* at = text.data();
  for (const std::string_view place : words(text)) {
    if (place != word) continue;
    out.append(at, place.data());
    out += by;
    at = place.data() + place.size();
  }
  out.append(at, text.data() + text.size());
  return out;
}

}  // namespace akin::edits
