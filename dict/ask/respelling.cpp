#include "dict/ask/respelling.h"

#include <algorithm>
#include <bitset>
#include <cstddef>

#include "dict/fold/characters.h"
#include "dict/fold/confusables.h"

namespace akin {
namespace {

constexpr std::size_t kMaxDigits = 3;
/// Inside words of three letters or more there may be more digits, if they stand for no more spellings.
constexpr std::size_t kMaxSpellings = 96;

// The letters that pass for each digit, the likeliest first.
constexpr std::array<std::u32string_view, 10> kLatinForDigits = {U"o", U"li", U"z", U"e", U"a",
                                                                 U"s", U"gb", U"t", U"b", U"g"};
constexpr std::array<std::u32string_view, 10> kCyrillicForDigits = {U"о", U"іл", U"",  U"зеэ", U"ча",
                                                                    U"",  U"б",  U"т", U"в",   U"д"};

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

bool has_digit_at_edge(std::u32string_view letters) {
  return is_digit(letters.front()) || is_digit(letters.back());
}

bool has_digits_in_row(std::u32string_view letters) {
  const auto both = [](char32_t a, char32_t b) { return is_digit(a) && is_digit(b); };
  return std::ranges::adjacent_find(letters, both) != letters.end();
}

/// Whether several digits between the two letters of a word may be letters: "d00r", "w31l", "c108e"; unlike
/// "l10n" and "a11y", which count letters, and "F16s", a model's plural. Nobody writes so in Cyrillic.
bool may_be_letters(std::u32string_view letters, bool latin) {
  if (!latin || letters.size() > 4) return true;
  const char32_t first = letters[1], last = letters.back();
  const bool is_count = first == U'1' && (last == U'n' || last == U'y');
  const bool is_model = first != U'0' && last == U's';
  return !is_count && !is_model;
}

void add_without_digits(std::u32string_view letters, std::vector<std::u32string>& out) {
  if (std::ranges::none_of(letters, is_digit)) return;
  std::size_t digits = 0;
  std::uint8_t scripts = kNoScript;
  for (const char32_t c : letters) {
    const std::uint8_t script = CharTable::instance()[c].scripts();
    scripts |= script;
    if (is_digit(c)) {
      ++digits;
    } else if (script == kNoScript && c != U'\'') {
      return;
    }
  }
  const bool latin = scripts == kLatin;
  if (!latin && scripts != kCyrillic) return;
  // "B2B" and "2nd" have two letters, "ab12" has digits in a row at its edge.
  const bool in_row = has_digits_in_row(letters), inside = !has_digit_at_edge(letters);
  if (!inside && (in_row || digits > kMaxDigits)) return;
  const std::size_t others = letters.size() - digits;
  const bool few_letters = others < 3;
  if (few_letters && (!inside || others < 2 || !(digits == 1 || may_be_letters(letters, latin)))) return;
  std::vector<std::u32string> made = {std::u32string()};
  for (const char32_t c : letters) {
    std::vector<std::u32string> longer;
    const char32_t one[] = {c};
    const std::u32string_view choices =
        is_digit(c) ? (latin ? kLatinForDigits : kCyrillicForDigits)[c - U'0'] : std::u32string_view(one, 1);
    if (made.size() * choices.size() > kMaxSpellings) return;
    for (const std::u32string& begun : made)
      for (const char32_t choice : choices) longer.push_back(begun + choice);
    made = std::move(longer);
  }
  out.insert(out.end(), made.begin(), made.end());
}

/// Whether digits in a row are letters of a word that no dictionary has: in one with letters beyond ASCII
/// always, since identifiers have none; in others if there are several runs of three at most and letters that
/// no hexadecimal number has, "n3igh80urh00d".
bool are_runs_of_letters(std::u32string_view letters) noexcept {
  constexpr std::size_t kMostInRun = 3;
  std::size_t runs = 0, run = 0, longest = 0;
  bool ascii = true, hexadecimal = true;
  for (const char32_t c : letters) {
    run = is_digit(c) ? run + 1 : 0;
    runs += run == 1 ? 1 : 0;
    longest = std::max(longest, run);
    ascii = ascii && c < 0x80;
    hexadecimal = hexadecimal && (is_digit(c) || (c >= U'a' && c <= U'f'));
  }
  return !ascii || (runs > 1 && longest <= kMostInRun && !hexadecimal);
}

/// Accents that belong to the spelling of few languages.
bool is_rare_accent(char32_t letter, char32_t mark) {
  const std::uint8_t script = CharTable::instance()[letter].scripts();
  if (mark == kCombiningRing) return script == kLatin;
  if (mark != kCombiningAcute) return false;
  if (script == kCyrillic) return letter == U'г' || letter == U'к';
  return script == kLatin && std::u32string_view(U"aeiouyæœøı").find(letter) == std::u32string_view::npos;
}

/// Letters without the accents that few languages put on them, in some blocks of Unicode.
class PlainLetters {
 public:
  /// Whether a word with this character may have such an accent: one of the letter itself, or a mark.
  [[nodiscard]] static bool may_change(char32_t c) {
    static const PlainLetters letters;
    return c >= kFirst && c < kEnd && letters.changed_[c - kFirst];
  }
  /// `decomposed` without such accents.
  static void append(std::u32string_view decomposed, std::u32string& plain) {
    char32_t letter = 0;
    for (const char32_t c : decomposed) {
      if (CharTable::instance()[c].kind() == CharKind::letter) letter = c;
      if (letter == 0 || !is_rare_accent(letter, c)) plain += c;
    }
  }

 private:
  static constexpr char32_t kFirst = 0xc0, kEnd = 0x1f00;

  PlainLetters() {
    ClusterFolder folder;
    std::u32string plain;
    for (char32_t c = kFirst; c < kEnd; ++c) {
      const bool is_mark = c >= 0x300 && c < 0x370;  // what it belongs to is not known here
      const bool decomposes = c < 0x300 || c == U'ѓ' || c == U'ќ' || (c >= 0x1e00 && c < 0x1f00);
      if (decomposes) {
        const std::u32string_view parts = folder.decompose(std::u32string_view(&c, 1));
        plain.clear();
        append(parts, plain);
        changed_[c - kFirst] = plain != parts;
      } else {
        changed_[c - kFirst] = is_mark;
      }
    }
  }

  std::bitset<kEnd - kFirst> changed_;
};

void add_without_accents(std::u32string_view letters, std::vector<std::u32string>& out) {
  if (std::ranges::none_of(letters, PlainLetters::may_change)) return;
  ClusterFolder folder;
  std::u32string plain;
  PlainLetters::append(folder.decompose(letters), plain);
  std::u32string composed(folder.fold(plain));
  if (composed != letters) out.push_back(std::move(composed));
}

}  // namespace

Twins twins_of(std::u32string_view letters) {
  // Nearly all words have a letter without a twin among their first; it need not be looked up.
  constexpr std::u32string_view kCommonWithout = U"внтлкмпдбгзйчшщжыьюяfgltdnmrukbvwz";
  Twins twins;
  if (letters.size() > 2 && (kCommonWithout.find(letters[0]) != std::u32string_view::npos ||
                             kCommonWithout.find(letters[1]) != std::u32string_view::npos))
    return twins;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char32_t c = letters[i];
    const std::uint8_t script = CharTable::instance()[c].scripts();
    const LookAlike meant = look_alike(c);
    const char32_t cyrillic = script == kCyrillic ? c : meant.cyrillic;
    const char32_t latin = script == kLatin ? c : meant.latin;
    const bool capital_suffices = i == 0 && letters.size() <= 2;
    if (cyrillic == 0 || latin == 0 || !(meant.both_cases || capital_suffices)) return {};
    twins.cyrillic += cyrillic;
    twins.latin += latin;
  }
  return twins;
}

std::u32string in_other_script(std::u32string_view letters) {
  std::u32string other;
  std::uint8_t scripts = kNoScript;
  for (const char32_t c : letters) {
    const std::uint8_t script = CharTable::instance()[c].scripts();
    scripts |= script;
    const LookAlike meant = look_alike(c);
    const char32_t twin = script == kCyrillic ? meant.latin
                          : script == kLatin  ? meant.cyrillic
                          : c == U'\''        ? c
                                              : 0;
    if (twin == 0) return {};
    other += twin;
  }
  if (scripts != kCyrillic && scripts != kLatin) return {};
  return other;
}

bool are_digits_certain(std::u32string_view letters) noexcept {
  const auto digits = static_cast<std::size_t>(std::ranges::count_if(letters, is_digit));
  if (digits == 0) return true;
  const std::size_t others = letters.size() - digits;
  if (has_digit_at_edge(letters) || others < 3) return false;
  if (digits <= kMaxDigits && !has_digits_in_row(letters)) return true;
  return digits <= others && are_runs_of_letters(letters);
}

std::vector<std::u32string> undisguised(std::u32string_view letters) {
  std::vector<std::u32string> out;
  add_without_digits(letters, out);
  add_without_accents(letters, out);
  return out;
}

}  // namespace akin
