#include "morph/disguise/disguised_words.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/fold/confusables.h"

namespace akin {

namespace {

constexpr std::array kImitated = {kLatin, kCyrillic, kGreek};
/// Shorter words of Latin and Greek letters are formulas and units.
constexpr std::size_t kMinGreekWord = 4;
/// Two letters may be what a program printed beside each other, and are the name of a unit in some script.
constexpr std::size_t kMinWord = 3;

constexpr char32_t kCombiningGrave = 0x300;
constexpr std::u32string_view kLatinVowels = U"aeiouy";
/// Letters of Roman numerals, and what is typed for them.
constexpr std::u32string_view kNumeralLetters = U"ivxlcdmіхсмѵѡ";
/// Kurdish and Yukaghir write w and q among Cyrillic letters, Ossetian is typed with æ; nothing that Russian
/// or Ukrainian has looks alike.
constexpr std::u32string_view kBorrowed = U"wqæ";
/// Chuvash is typed with them, letter and mark, for ӑ, ӗ, ҫ and ӳ.
constexpr std::array<std::u32string_view, 4> kBorrowedWithMark = {U"a\u0306", U"e\u0306", U"c\u0327",
                                                                  U"y\u0308"};
/// The letter ӏ of the languages of the Caucasus, as it is typed.
constexpr char32_t kPalochka = U'l', kPalochkaDigit = U'1';
/// What the digit replaces in words that are disguised by it.
constexpr std::u32string_view kMeantByOne = U"иілй";

bool is_among(std::u32string_view set, char32_t c) { return set.find(c) != std::u32string_view::npos; }

char32_t lower_case(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

std::uint8_t script_of_letter(char32_t c) { return CharTable::instance()[c].scripts(); }

/// A letter in lower case, whether an acute or grave is on it, and whether an alphabet has it with its mark.
struct PlainLetter {
  char32_t letter = 0;
  bool stressed = false;
  bool borrowed = false;
};

/// The letters of a word and the scripts that they have.
struct PlainWord {
  std::vector<PlainLetter> letters;
  std::uint8_t scripts = kNoScript;
};

/// Whether no letter of the word is in doubt: nobody takes these for those of another script.
bool is_honest(const PlainWord& word) {
  const auto& letters = word.letters;
  if (word.scripts == (kLatin | kGreek)) return letters.size() < kMinGreekWord;
  const auto all = [&](auto is) { return std::ranges::all_of(letters, is); };
  if (all([](const PlainLetter& one) { return is_among(kNumeralLetters, one.letter); })) return true;
  if (word.scripts != (kLatin | kCyrillic)) return false;
  const auto cyrillic_or = [&](auto is) {
    return all([&](const PlainLetter& one) { return script_of_letter(one.letter) != kLatin || is(one); });
  };
  return cyrillic_or(
             [](const PlainLetter& one) { return one.borrowed || is_among(kBorrowed, one.letter); }) ||
         cyrillic_or(
             [](const PlainLetter& one) { return one.stressed && is_among(kLatinVowels, one.letter); });
}

/// Whether the only Latin letter of a Cyrillic word is one that is typed for ӏ.
bool has_palochka(const PlainWord& word) {
  return word.scripts == (kLatin | kCyrillic) &&
         std::ranges::all_of(word.letters, [](const PlainLetter& one) {
           return one.letter == kPalochka || script_of_letter(one.letter) != kLatin;
         });
}

/// Whether it is a move of chess, as Russian has them: the piece, and squares ("Кbd7", "Сxf7", "Крh8").
bool is_chess_move(std::u32string_view word) {
  const auto in_squares = [](char32_t c) { return is_among(U"abcdefgh12345678x", c); };
  const std::size_t piece = word.starts_with(U"Кр") ? 2 : 1;
  return word.size() > 2 && is_among(U"КСЛФ", word.front()) && word.back() >= U'1' && word.back() <= U'8' &&
         std::ranges::all_of(word.substr(piece), in_squares);
}

/// Whether all letters of other scripts pass for letters of this one, which the word has.
bool passes_for(const PlainWord& word, ScriptBits script) {
  return (word.scripts & script) != 0 && std::ranges::all_of(word.letters, [&](const PlainLetter& one) {
           const std::uint8_t of = script_of_letter(one.letter);
           return of == script || of == kNoScript || look_alike(one.letter).in(script) != 0;
         });
}

/// Whether the word falls into two parts of one script each, of two letters or more; a Cyrillic ending behind
/// a Latin word may be one ("Windowsа").
bool is_joined(const PlainWord& word) {
  constexpr std::size_t kMinPart = 2;
  const auto script = [&](std::size_t at) { return script_of_letter(word.letters[at].letter); };
  const std::size_t size = word.letters.size();
  std::size_t changes = 0, change = 0;
  for (std::size_t at = 1; at < size; ++at)
    if (script(at) != script(at - 1)) ++changes, change = at;
  const bool has_ending = script(0) == kLatin && script(size - 1) == kCyrillic;
  return changes == 1 && change >= kMinPart && (has_ending || size - change >= kMinPart);
}

}  // namespace

bool is_impossible_mark(char32_t letter, std::uint8_t scripts, char32_t mark) {
  const bool crosses_out = mark >= 0x335 && mark <= 0x338;
  const bool encloses = mark >= 0x20dd && mark <= 0x20e4;
  const bool acute_or_grave = mark == 0x300 || mark == kCombiningAcute;
  letter = lower_case(letter);
  if ((scripts & kCyrillic) != 0) {
    // A ring, a hook, a horn and palatal or retroflex hooks occur on no Cyrillic letter; acute and grave mark
    // stress on vowels and, in Serbian, on sonorants, and make к, г, с, з letters of other languages.
    return crosses_out || encloses || is_among(U"\u0309\u030a\u031b\u0321\u0322", mark) ||
           (acute_or_grave && is_among(U"бвджйпптфхцчшщъь", letter));
  }
  if ((scripts & kLatin) != 0) {
    // Mazahua crosses out vowels.
    return encloses || (crosses_out && !is_among(U"aeiou", letter)) ||
           (mark == kCombiningAcute && is_among(U"bdfhqtx", letter));
  }
  return (scripts & kGreek) != 0 && (crosses_out || encloses);
}

bool is_typed_without_i(std::string_view utf8) {
  constexpr std::size_t kOnceIn = 20;
  // The first bytes of basic Cyrillic letters, and those of "і" and "І".
  const auto begins_letter = [&](std::size_t at) {
    return at < utf8.size() && (utf8[at] == '\xd0' || utf8[at] == '\xd1');
  };
  std::size_t latin = 0, cyrillic = 0;
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    if (utf8[at] == 'i' || utf8[at] == 'I')
      latin += (at > 1 && begins_letter(at - 2)) || begins_letter(at + 1) ? 1 : 0;
    if (begins_letter(at)) cyrillic += utf8.substr(at, 2) == "і" || utf8.substr(at, 2) == "І" ? 1 : 0;
  }
  return latin > 0 && cyrillic * kOnceIn <= latin;
}

bool is_cyrillic_but_for_i(std::string_view word) {
  bool has_i = false, has_cyrillic = false;
  for (const char32_t c : to_utf32(word)) {
    const std::uint8_t script = script_of_letter(lower_case(c));
    has_cyrillic = has_cyrillic || script == kCyrillic;
    if (script != kLatin) continue;
    if (!is_among(U"iï", lower_case(c))) return false;
    has_i = true;
  }
  return has_i && has_cyrillic;
}

bool DisguisedWords::imitates(std::string_view word) {
  PlainWord plain;
  const std::u32string letters = to_utf32(word);
  for (const char32_t c : cluster_.decompose(letters)) {
    const char32_t lower = lower_case(c);
    if (CharTable::instance()[c].kind() == CharKind::letter) {
      plain.letters.push_back({lower});
      plain.scripts |= script_of_letter(lower);
    } else if (!plain.letters.empty()) {
      PlainLetter& last = plain.letters.back();
      last.stressed = last.stressed || c == kCombiningAcute || c == kCombiningGrave;
      last.borrowed =
          std::ranges::find(kBorrowedWithMark, std::u32string{last.letter, c}) != kBorrowedWithMark.end();
    }
  }
  if (!mixes_scripts(plain.scripts) || plain.letters.size() < kMinWord || is_honest(plain)) return false;
  if (is_chess_move(letters)) return false;
  if (std::ranges::none_of(kImitated, [&](ScriptBits script) { return passes_for(plain, script); }))
    return false;
  // "βtxt" is a formula; a disguised word is one of Latin letters.
  const auto greek = std::ranges::count_if(
      plain.letters, [](const PlainLetter& one) { return script_of_letter(one.letter) == kGreek; });
  const bool may_be_formula =
      plain.scripts == (kLatin | kGreek) && 2 * static_cast<std::size_t>(greek) < plain.letters.size();
  const bool needs_dictionary = is_joined(plain) || may_be_formula || has_palochka(plain);
  return !needs_dictionary || dictionary_.knows(folder_.fold(word));
}

bool DisguisedWords::is_formula(std::string_view word) {
  constexpr char32_t kFirst = 0x2061, kLast = 0x2064;  // operators that show nothing
  bool has_operator = false;
  for (const char32_t c : to_utf32(word)) {
    const bool is_operator = c >= kFirst && c <= kLast;
    has_operator = has_operator || is_operator;
    if (CharTable::instance()[c].kind() == CharKind::ignorable && !is_operator) return false;
  }
  return has_operator && !dictionary_.knows(folder_.fold(word));
}

bool DisguisedWords::hides_letters(std::string_view word) {
  const std::u32string characters = to_utf32(word);
  if (std::ranges::all_of(characters, [](char32_t c) { return c < 0x80; }))
    return dictionary_.knows(folder_.fold(word));
  const bool may_have_palochka = std::ranges::all_of(characters, [](char32_t c) {
    const CharInfo info = CharTable::instance()[c];
    return c == kPalochkaDigit || info.kind() == CharKind::mark || info.scripts() == kCyrillic;
  });
  return !may_have_palochka || std::ranges::any_of(kMeantByOne, [&](char32_t meant) {
    std::u32string spelled = characters;
    std::ranges::replace(spelled, kPalochkaDigit, meant);
    return dictionary_.knows(folder_.fold(to_utf8(spelled)));
  });
}

bool DisguisedWords::is_decorated(std::string_view word) {
  std::string plain;
  for (const char32_t c : cluster_.decompose(to_utf32(word)))
    if (CharTable::instance()[c].kind() != CharKind::mark) append_utf8(plain, c);
  return !dictionary_.knows(folder_.fold(word)) && dictionary_.knows(folder_.fold(plain));
}

bool DisguisedWords::belongs_to(std::uint8_t script, std::string_view word) {
  const FoldedWord folded = folder_.fold(word);
  if (!dictionary_.knows(folded)) return false;
  // A class has the lemmas of the Cyrillic spelling where that is a word, else of the Latin one.
  if (script != kCyrillic) return true;
  const WordClass of = dictionary_.classify(folded);
  if (of.form == WordClass::kNoForm) return false;
  return std::ranges::any_of(dictionary_.lemma_ids(of.form), [&](std::uint32_t id) {
    return (scripts_of(to_utf32(dictionary_.lemma(id))) & kCyrillic) != 0;
  });
}

void drop_formulas(std::string_view utf8, DisguisedWords& words, AlertCounts& counts,
                   std::vector<Alert>& listed) {
  std::size_t at = 0;
  std::uint32_t place = 0;
  const auto byte_of = [&](std::uint32_t wanted) {
    for (; place < wanted; ++place) static_cast<void>(next_code_point(utf8, at));
    return at;
  };
  std::erase_if(listed, [&](const Alert& alert) {
    if (alert.kind != AlertKind::zero_width || alert.range.begin < place) return false;
    const std::size_t begin = byte_of(alert.range.begin);
    if (!words.is_formula(utf8.substr(begin, byte_of(alert.range.end) - begin))) return false;
    --counts[AlertKind::zero_width];
    return true;
  });
}

}  // namespace akin
