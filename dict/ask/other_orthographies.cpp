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
    Replacement{U"šč", U"щ"},   Replacement{U"zh", U"ж"},  Replacement{U"kh", U"х"},
    Replacement{U"ts", U"ц"},   Replacement{U"cz", U"ц"},  Replacement{U"ch", U"ч"},
    Replacement{U"ch", U"х"},   Replacement{U"sh", U"ш"},  Replacement{U"yu", U"ю"},
    Replacement{U"iu", U"ю"},   Replacement{U"ju", U"ю"},  Replacement{U"ya", U"я"},
    Replacement{U"ia", U"я"},   Replacement{U"ja", U"я"},  Replacement{U"ye", U"е"},
    Replacement{U"yo", U"е"},   Replacement{U"jo", U"е"},  Replacement{U"ii", U"ий"},
    Replacement{U"yi", U"ый"},  Replacement{U"yy", U"ый"}, Replacement{U"iy", U"ий"},
    Replacement{U"a", U"а"},    Replacement{U"b", U"б"},   Replacement{U"v", U"в"},
    Replacement{U"g", U"г"},    Replacement{U"d", U"д"},   Replacement{U"e", U"е"},
    Replacement{U"e", U"э"},    Replacement{U"ë", U"е"},   Replacement{U"è", U"э"},
    Replacement{U"ė", U"э"},    Replacement{U"ž", U"ж"},   Replacement{U"z", U"з"},
    Replacement{U"i", U"и"},    Replacement{U"i", U"й"},   Replacement{U"j", U"й"},
    Replacement{U"k", U"к"},    Replacement{U"l", U"л"},   Replacement{U"m", U"м"},
    Replacement{U"n", U"н"},    Replacement{U"o", U"о"},   Replacement{U"p", U"п"},
    Replacement{U"r", U"р"},    Replacement{U"s", U"с"},   Replacement{U"t", U"т"},
    Replacement{U"u", U"у"},    Replacement{U"f", U"ф"},   Replacement{U"h", U"х"},
    Replacement{U"x", U"х"},    Replacement{U"c", U"ц"},   Replacement{U"č", U"ч"},
    Replacement{U"š", U"ш"},    Replacement{U"ŝ", U"щ"},   Replacement{U"y", U"ы"},
    Replacement{U"y", U"й"},    Replacement{U"û", U"ю"},   Replacement{U"â", U"я"},
    Replacement{U"'", U"ь"},    Replacement{U"'", U"ъ"}};
/// After these the soft sign, which passports leave out and folding drops at the end, may be missing.
constexpr std::u32string_view kMaySoften = U"бвдзлмнпрст";
constexpr std::u32string_view kAfterSoftSign = U"бгдзйкмнсцчшщеиюя";

bool is_latin(std::u32string_view letters) {
  return std::ranges::all_of(
      letters, [](char32_t c) { return c == U'\'' || CharTable::instance()[c].scripts() == kLatin; });
}

/// The keys of the readings of a word, in the order of the choices; at most kMostReadings and one.
class Readings {
 public:
  [[nodiscard]] bool are_too_many() const noexcept {
    return keys_.size() > OtherOrthographies::kMostReadings;
  }
  void add(SpellingHash hash) { keys_.push_back(hash.value()); }

  [[nodiscard]] std::uint32_t first_in(const WordClassTable& table) const {
    if (are_too_many()) return WordClassTable::kNoRow;
    for (const std::uint64_t key : keys_) table.expect_key(key);
    for (const std::uint64_t key : keys_) {
      const std::uint32_t row = table.find(key);
      if (row != WordClassTable::kNoRow) return row;
    }
    return WordClassTable::kNoRow;
  }

 private:
  std::vector<std::uint64_t> keys_;
};

void add_accented(std::u32string_view rest, std::span<const AccentedLetter> accented, SpellingHash hash,
                  Readings& out) {
  if (out.are_too_many()) return;
  if (rest.empty()) return out.add(hash);
  const auto add = [&](char32_t letter) {
    SpellingHash longer = hash;
    longer.add(letter);
    add_accented(rest.substr(1), accented, longer, out);
  };
  add(rest.front());
  for (const AccentedLetter& one : accented)
    if (one.plain == rest.front()) add(one.accented);
}

void add_russian(std::u32string_view rest, char32_t before, SpellingHash hash, Readings& out) {
  if (out.are_too_many()) return;
  if (rest.empty()) {
    out.add(hash);
    if (kMaySoften.find(before) == std::u32string_view::npos) return;
    hash.add(U'ь');
    return out.add(hash);
  }
  for (const Replacement& one : kTransliterated) {
    if (!rest.starts_with(one.from)) continue;
    SpellingHash longer = hash;
    for (const char32_t c : one.to) longer.add(c);
    add_russian(rest.substr(one.from.size()), one.to.back(), longer, out);
    const bool may_soften = kMaySoften.find(before) != std::u32string_view::npos &&
                            kAfterSoftSign.find(one.to.front()) != std::u32string_view::npos;
    if (!may_soften) continue;
    SpellingHash softened = hash;
    for (const char32_t c : U"ь" + std::u32string(one.to)) softened.add(c);
    add_russian(rest.substr(one.from.size()), one.to.back(), softened, out);
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
  std::uint32_t row = WordClassTable::kNoRow;
  const auto is_plain = [](char32_t c) { return c >= U'a' && c <= U'z'; };
  if (!accented_.empty() && std::ranges::all_of(letters, is_plain)) {
    Readings readings;
    add_accented(letters, accented_, {}, readings);
    row = readings.first_in(table);
  }
  if (row == WordClassTable::kNoRow && has_russian_ && is_latin(letters)) {
    Readings readings;
    add_russian(letters, 0, {}, readings);
    row = readings.first_in(table);
  }
  return row;
}

}  // namespace akin
