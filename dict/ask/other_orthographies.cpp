#include "dict/ask/other_orthographies.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

struct Replacement {
  std::u32string_view from, to;
};

// Before 1918. The ends are of adjectives and pronouns in letters that were already exchanged.
constexpr std::u32string_view kOldLetters = U"ѣіѳѵ", kTodaysLetters = U"еифи";
constexpr std::array kOldEnds = {Replacement{U"аго", U"ого"},   Replacement{U"аго", U"его"},
                                 Replacement{U"яго", U"его"},   Replacement{U"агося", U"егося"},
                                 Replacement{U"ыя", U"ые"},     Replacement{U"ия", U"ие"},
                                 Replacement{U"ыяся", U"ыеся"}, Replacement{U"ияся", U"иеся"}};
constexpr std::array kOldWords = {Replacement{U"ея", U"ее"},        Replacement{U"нея", U"нее"},
                                  Replacement{U"оне", U"они"},      Replacement{U"одне", U"одни"},
                                  Replacement{U"однех", U"одних"},  Replacement{U"однем", U"одним"},
                                  Replacement{U"однеми", U"одними"}};
/// Prefixes that had з before every consonant.
constexpr std::array<std::u32string_view, 8> kPrefixes = {U"без", U"раз",  U"из",    U"воз",
                                                          U"низ", U"чрез", U"через", U"вз"};
constexpr std::u32string_view kVoiceless = U"кпстфхцчшщ";

// Letters with the accents that a language writes.
struct Accents {
  std::string_view code;
  std::u32string_view letters;
};
constexpr std::array kAccents = {Accents{"cs", U"áčďéěíňóřšťúůýž"},
                                 Accents{"sk", U"áäčďéíĺľňóôŕšťúýž"},
                                 Accents{"hu", U"áéíóöőúüű"},
                                 Accents{"pl", U"ąćęłńóśźż"},
                                 Accents{"fr", U"àâçèéêëîïôùûü"},
                                 Accents{"es", U"áéíñóúü"},
                                 Accents{"pt", U"áâãàçéêíóôõú"},
                                 Accents{"it", U"àèéìòù"},
                                 Accents{"ro", U"ăâîșț"},
                                 Accents{"tr", U"çğöşü"},
                                 Accents{"de", U"äöü"}};

/// Letters in Latin and what they stand for in Russian, the longest first.
constexpr std::array kTransliterated = {
    Replacement{U"shch", U"щ"}, Replacement{U"sch", U"щ"}, Replacement{U"shh", U"щ"},
    Replacement{U"šč", U"щ"},   Replacement{U"y'", U"ы"},  Replacement{U"e'", U"э"},
    Replacement{U"zh", U"ж"},   Replacement{U"kh", U"х"},  Replacement{U"ts", U"ц"},
    Replacement{U"cz", U"ц"},   Replacement{U"ch", U"ч"},  Replacement{U"ch", U"х"},
    Replacement{U"sh", U"ш"},   Replacement{U"yu", U"ю"},  Replacement{U"iu", U"ю"},
    Replacement{U"ju", U"ю"},   Replacement{U"ya", U"я"},  Replacement{U"ia", U"я"},
    Replacement{U"ja", U"я"},   Replacement{U"ye", U"е"},  Replacement{U"yo", U"е"},
    Replacement{U"jo", U"е"},   Replacement{U"ii", U"ий"}, Replacement{U"yi", U"ый"},
    Replacement{U"yy", U"ый"},  Replacement{U"iy", U"ий"}, Replacement{U"a", U"а"},
    Replacement{U"b", U"б"},    Replacement{U"v", U"в"},   Replacement{U"g", U"г"},
    Replacement{U"d", U"д"},    Replacement{U"e", U"е"},   Replacement{U"e", U"э"},
    Replacement{U"ë", U"е"},    Replacement{U"è", U"э"},   Replacement{U"ė", U"э"},
    Replacement{U"ž", U"ж"},    Replacement{U"z", U"з"},   Replacement{U"i", U"и"},
    Replacement{U"i", U"й"},    Replacement{U"j", U"й"},   Replacement{U"k", U"к"},
    Replacement{U"l", U"л"},    Replacement{U"m", U"м"},   Replacement{U"n", U"н"},
    Replacement{U"o", U"о"},    Replacement{U"p", U"п"},   Replacement{U"r", U"р"},
    Replacement{U"s", U"с"},    Replacement{U"t", U"т"},   Replacement{U"u", U"у"},
    Replacement{U"f", U"ф"},    Replacement{U"h", U"х"},   Replacement{U"x", U"х"},
    Replacement{U"c", U"ц"},    Replacement{U"č", U"ч"},   Replacement{U"š", U"ш"},
    Replacement{U"ŝ", U"щ"},    Replacement{U"y", U"ы"},   Replacement{U"y", U"й"},
    Replacement{U"û", U"ю"},    Replacement{U"â", U"я"},   Replacement{U"'", U"ь"},
    Replacement{U"'", U"ъ"}};
/// After these the soft sign, which passports leave out and folding drops at the end, may be missing.
constexpr std::u32string_view kMaySoften = U"бвдзлмнпрст";
constexpr std::u32string_view kAfterSoftSign = U"бгдзйкмнсцчшщеиюя";

/// Those of kTransliterated that begin with a letter, in their order.
std::span<const Replacement> readings_from(char32_t letter) {
  constexpr auto first = [](const Replacement& one) { return one.from.front(); };
  static const auto kByLetter = [&] {
    auto all = kTransliterated;
    std::ranges::stable_sort(all, {}, first);
    return all;
  }();
  return {std::ranges::lower_bound(kByLetter, letter, {}, first),
          std::ranges::upper_bound(kByLetter, letter, {}, first)};
}

bool may_soften(char32_t letter) { return kMaySoften.find(letter) != std::u32string_view::npos; }
bool is_after_soft_sign(char32_t letter) { return kAfterSoftSign.find(letter) != std::u32string_view::npos; }

/// The row of the first key that the table has. All are fetched together: a look-up waits for memory.
std::uint32_t first_row(std::span<const std::uint64_t> keys, const WordClassTable& table) {
  for (const std::uint64_t key : keys) table.expect_key(key);
  for (const std::uint64_t key : keys) {
    const std::uint32_t row = table.find(key);
    if (row != WordClassTable::kNoRow) return row;
  }
  return WordClassTable::kNoRow;
}

std::size_t count_accented(std::u32string_view letters, std::span<const AccentedLetter> accented) {
  std::size_t count = 1;
  for (const char32_t c : letters) {
    count *= 1 + static_cast<std::size_t>(std::ranges::count(accented, c, &AccentedLetter::plain));
    if (count > OtherOrthographies::kMostAccented) break;
  }
  return count;
}

void add_accented(std::u32string_view rest, std::span<const AccentedLetter> accented, SpellingHash hash,
                  std::vector<std::uint64_t>& out) {
  if (rest.empty()) return out.push_back(hash.value());
  const auto add = [&](char32_t letter) {
    SpellingHash longer = hash;
    longer.add(letter);
    add_accented(rest.substr(1), accented, longer, out);
  };
  add(rest.front());
  for (const AccentedLetter& one : accented)
    if (one.plain == rest.front()) add(one.accented);
}

/// How many readings `add_russian` adds, computed from the end of the word.
std::size_t count_russian(std::u32string_view letters) {
  struct Ways {
    std::size_t plain = 1, after_soft = 2;  // after a letter that a soft sign may follow
  };
  std::vector<Ways> ways(letters.size() + 1);
  for (std::size_t at = letters.size(); at-- > 0;) {
    ways[at] = {0, 0};
    for (const Replacement& one : readings_from(letters[at])) {
      if (!letters.substr(at).starts_with(one.from)) continue;
      const Ways& rest = ways[at + one.from.size()];
      const std::size_t count = may_soften(one.to.back()) ? rest.after_soft : rest.plain;
      ways[at].plain += count;
      ways[at].after_soft += is_after_soft_sign(one.to.front()) ? 2 * count : count;
    }
    if (ways[at].plain == 0 || ways[at].plain > OtherOrthographies::kMostRussian) return ways[at].plain;
  }
  return ways.front().plain;
}

void add_russian(std::u32string_view rest, char32_t before, SpellingHash hash,
                 std::vector<std::uint64_t>& out) {
  const bool softens = may_soften(before);
  SpellingHash softened = hash;
  softened.add(U'ь');
  if (rest.empty()) {
    if (before == U'т') std::swap(hash, softened);  // an infinitive, or a noun in -сть
    out.push_back(hash.value());
    if (softens) out.push_back(softened.value());
    return;
  }
  const auto add = [&](const Replacement& one, SpellingHash longer) {
    for (const char32_t c : one.to) longer.add(c);
    add_russian(rest.substr(one.from.size()), one.to.back(), longer, out);
  };
  for (const Replacement& one : readings_from(rest.front())) {
    if (!rest.starts_with(one.from)) continue;
    add(one, hash);
    if (softens && is_after_soft_sign(one.to.front())) add(one, softened);
  }
}

}  // namespace

std::vector<std::u32string> modern_russian(std::u32string_view letters) {
  std::u32string word(letters);
  for (char32_t& c : word)
    if (const auto at = kOldLetters.find(c); at != std::u32string_view::npos) c = kTodaysLetters[at];
  if (word.size() > 1 && word.ends_with(U'ъ')) word.pop_back();
  std::vector<std::u32string> out;
  const auto other = std::ranges::find(kOldWords, std::u32string_view(word), &Replacement::from);
  if (other != kOldWords.end()) out.emplace_back(other->to);
  if (word != letters) out.push_back(word);
  for (const Replacement& end : kOldEnds) {
    if (word.size() > end.from.size() && word.ends_with(end.from))
      out.push_back(word.substr(0, word.size() - end.from.size()).append(end.to));
  }
  for (const std::u32string_view prefix : kPrefixes) {
    const bool voiced = word.size() > prefix.size() + 1 && word.starts_with(prefix) &&
                        kVoiceless.find(word[prefix.size()]) != std::u32string_view::npos;
    if (!voiced) continue;
    const std::size_t unchanged = out.size();
    for (std::size_t i = 0; i < unchanged; ++i) {
      out.push_back(out[i]);
      out.back()[prefix.size() - 1] = U'с';
    }
    word[prefix.size() - 1] = U'с';
    out.push_back(word);
    break;
  }
  return out;
}

OtherOrthographies::OtherOrthographies(std::span<const std::string> codes) {
  const auto has = [&](std::string_view code) { return std::ranges::find(codes, code) != codes.end(); };
  has_russian_ = has("ru");
  ClusterFolder folder;
  for (const Accents& one : kAccents) {
    if (!has(one.code)) continue;
    for (const char32_t c : one.letters) {
      const auto known = std::ranges::find(accented_, c, &AccentedLetter::accented);
      if (known != accented_.end()) continue;
      accented_.push_back({c == U'ł' ? U'l' : folder.decompose({&c, 1}).front(), c});
    }
  }
  std::ranges::sort(accented_, {}, &AccentedLetter::accented);
}

std::uint32_t OtherOrthographies::find(std::u32string_view letters, const WordClassTable& table) const {
  if (letters.size() < 2) return WordClassTable::kNoRow;
  if (has_russian_ && scripts_of(letters) == kCyrillic) {
    for (const std::u32string& word : modern_russian(letters)) {
      const std::uint32_t row = table.find(spelling_key(word));
      if (row != WordClassTable::kNoRow) return row;
    }
    return WordClassTable::kNoRow;
  }
  const std::uint32_t row = find_accented(letters, table);
  return row != WordClassTable::kNoRow ? row : find_transliterated(letters, table);
}

bool OtherOrthographies::is_before_1918(std::u32string_view letters, const WordClassTable& table) const {
  return has_russian_ && scripts_of(letters) == kCyrillic && find(letters, table) != WordClassTable::kNoRow;
}

bool OtherOrthographies::is_transliterated(std::u32string_view letters, const WordClassTable& table) const {
  return has_russian_ && letters.size() > 1 && scripts_of(letters) == kLatin &&
         find_accented(letters, table) == WordClassTable::kNoRow &&
         find_transliterated(letters, table) != WordClassTable::kNoRow;
}

std::uint32_t OtherOrthographies::find_accented(std::u32string_view letters,
                                                const WordClassTable& table) const {
  const auto is_plain = [](char32_t c) { return c >= U'a' && c <= U'z'; };
  if (accented_.empty() || !std::ranges::all_of(letters, is_plain) ||
      count_accented(letters, accented_) > kMostAccented)
    return WordClassTable::kNoRow;
  std::vector<std::uint64_t> keys;
  add_accented(letters, accented_, {}, keys);
  return first_row(keys, table);
}

std::uint32_t OtherOrthographies::find_transliterated(std::u32string_view letters,
                                                      const WordClassTable& table) const {
  const std::size_t count = has_russian_ ? count_russian(letters) : 0;
  if (count == 0 || count > kMostRussian) return WordClassTable::kNoRow;
  std::vector<std::uint64_t> keys;
  add_russian(letters, 0, {}, keys);
  return first_row(keys, table);
}

}  // namespace akin
