#include "dict/ask/respelling.h"

#include <algorithm>
#include <cstddef>

#include "dict/fold/characters.h"
#include "dict/fold/confusables.h"

namespace akin {
namespace {

constexpr std::size_t kMinLetters = 3, kMaxDigits = 3;

// The letters that pass for each digit, the likeliest first.
constexpr std::array<std::u32string_view, 10> kLatinForDigits = {U"o", U"li", U"z", U"e", U"a",
                                                                 U"s", U"gb", U"t", U"b", U"g"};
constexpr std::array<std::u32string_view, 10> kCyrillicForDigits = {U"о", U"іл", U"",  U"зеэ", U"ча",
                                                                    U"",  U"б",  U"т", U"в",   U"д"};

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

void add_without_digits(std::u32string_view letters, std::vector<std::u32string>& out) {
  if (std::ranges::none_of(letters, is_digit)) return;
  std::size_t digits = 0;
  std::uint8_t scripts = kNoScript;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::uint8_t script = CharTable::instance()[letters[i]].scripts();
    scripts |= script;
    if (!is_digit(letters[i])) {
      if (script == kNoScript) return;
      continue;
    }
    if (++digits > kMaxDigits || (i > 0 && is_digit(letters[i - 1]))) return;
  }
  const bool latin = scripts == kLatin;
  if (digits == 0 || (!latin && scripts != kCyrillic)) return;
  if (letters.size() < digits + kMinLetters) return;
  std::vector<std::u32string> made = {std::u32string()};
  for (const char32_t c : letters) {
    std::vector<std::u32string> longer;
    const char32_t one[] = {c};
    const std::u32string_view choices =
        is_digit(c) ? (latin ? kLatinForDigits : kCyrillicForDigits)[c - U'0'] : std::u32string_view(one, 1);
    for (const std::u32string& begun : made)
      for (const char32_t choice : choices) longer.push_back(begun + choice);
    made = std::move(longer);
  }
  out.insert(out.end(), made.begin(), made.end());
}

/// Accents that belong to the spelling of few languages.
bool is_rare_accent(char32_t letter, char32_t mark) {
  const std::uint8_t script = CharTable::instance()[letter].scripts();
  if (mark == 0x30a) return script == kLatin;
  if (mark != kCombiningAcute) return false;
  if (script == kCyrillic) return letter == U'г' || letter == U'к';
  return script == kLatin && std::u32string_view(U"aeiouyæœøı").find(letter) == std::u32string_view::npos;
}

void add_without_accents(std::u32string_view letters, std::vector<std::u32string>& out) {
  const auto accented = [](char32_t c) {
    return (c >= 0xc0 && c < 0x370) || c == U'ѓ' || c == U'ќ' || (c >= 0x1e00 && c < 0x1f00);
  };
  if (!std::ranges::any_of(letters, accented)) return;
  ClusterFolder folder;
  std::u32string plain;
  for (const char32_t c : folder.decompose(letters))
    if (plain.empty() || !is_rare_accent(plain.back(), c)) plain += c;
  std::u32string composed(folder.fold(plain));
  if (composed != letters) out.push_back(std::move(composed));
}

}  // namespace

Twins twins_of(std::u32string_view letters) {
  // Nearly all words have a letter without a twin among their first; it need not be looked up.
  constexpr std::u32string_view kCommonWithout = U"внтлкмпдбгзйчшщжыьюяfgltdnmrukbvwz";
  Twins twins;
  if (letters.size() > 1 && (kCommonWithout.find(letters[0]) != std::u32string_view::npos ||
                             kCommonWithout.find(letters[1]) != std::u32string_view::npos))
    return twins;
  for (const char32_t c : letters) {
    const std::uint8_t script = CharTable::instance()[c].scripts();
    const LookAlike meant = look_alike(c);
    const char32_t cyrillic = script == kCyrillic ? c : meant.cyrillic;
    const char32_t latin = script == kLatin ? c : meant.latin;
    if (cyrillic == 0 || latin == 0 || !(meant.both_cases || letters.size() == 1)) return {};
    twins.cyrillic += cyrillic;
    twins.latin += latin;
  }
  return twins;
}

bool has_digit_inside(std::u32string_view letters) noexcept {
  const bool any = std::ranges::any_of(letters, is_digit);
  return any && !is_digit(letters.front()) && !is_digit(letters.back());
}

std::vector<std::u32string> undisguised(std::u32string_view letters) {
  std::vector<std::u32string> out;
  add_without_digits(letters, out);
  add_without_accents(letters, out);
  return out;
}

}  // namespace akin
