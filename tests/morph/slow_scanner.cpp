#include "slow_scanner.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "dict/fold.h"
#include "morph/boundary.h"
#include "morph/scanner.h"

namespace akin::slow {
namespace {

using icu::Normalizer2;
using icu::UnicodeSet;
using icu::UnicodeString;

/// One folded character.
struct Unit {
  char32_t c = 0;
  TextRange range;
  bool zero_width = false;    // an ignorable character before it or in its cluster
  bool soft_hyphen = false;   // a soft hyphen before it
  bool after_hyphen = false;  // a hyphen was taken out before it
  bool unmasked = false;      // look-alikes were exchanged in its run
};
using Units = std::vector<Unit>;

UnicodeSet set(const char* pattern) {
  UErrorCode error = U_ZERO_ERROR;
  UnicodeSet result(UnicodeString::fromUTF8(pattern), error);
  if (U_FAILURE(error)) std::abort();
  return result.freeze() != nullptr ? result : UnicodeSet();
}

bool in(const UnicodeSet& characters, char32_t c) {
  return characters.contains(static_cast<UChar32>(c)) != 0;
}

const UnicodeSet& apostrophes() {
  static const UnicodeSet s =
      set("[' ` \\u02B9 \\u02BB-\\u02BF \\u02C8 \\u02CA \\u02CB \\u055A \\u05F3 \\u07F4 \\u07F5 "
          "\\u2018-\\u201B \\u2032 \\u2035 "
          "\\uA78B \\uA78C \\uFF07]");
  return s;
}
const UnicodeSet& quotes() {
  static const UnicodeSet s =
      set("[\\u0022 \\u00AB \\u00BB \\u201C-\\u201F \\u2039 \\u203A \\u301D-\\u301F \\uFF02 \\u05F4 \\u02BA "
          "\\u02EE]");
  return s;
}
const UnicodeSet& dashes() {
  static const UnicodeSet s = set("[\\u2012-\\u2015 \\u2212 \\u2E3A \\u2E3B \\u2500 \\u2501]");
  return s;
}
const UnicodeSet& solos() {
  static const UnicodeSet s =
      set("[[[:Han:][:Hiragana:][:Katakana:][:Bopomofo:][:Yi:][:Thai:][:Laoo:][:Khmr:][:Mymr:][:Tale:][:Talu:"
          "][:Lana:][:Tavt:]"
          "\\u30FC]&[[:L:][:Nl:]]]");
  return s;
}
const UnicodeSet& special() {
  static const UnicodeSet s = [] {
    UnicodeSet all = set("[\\u002D \\u2010 \\u00AD]");
    all.addAll(apostrophes()).addAll(quotes()).addAll(dashes());
    return all;
  }();
  return s;
}
const UnicodeSet& ignorables() {
  static const UnicodeSet s = set("[:Default_Ignorable_Code_Point:]");
  return s;
}
bool is_mark(char32_t c) {
  static const UnicodeSet s = set("[[:M:]-[:Default_Ignorable_Code_Point:]]");
  return in(s, c);
}
bool is_solo(char32_t c) { return in(solos(), c); }
bool is_letter(char32_t c) {
  static const UnicodeSet s = set("[[:L:][:Nl:]-[:Default_Ignorable_Code_Point:]]");
  return in(s, c) && !in(special(), c) && !is_solo(c);
}
bool is_digit(char32_t c) {
  static const UnicodeSet s = set("[[:Nd:][:No:]]");
  return in(s, c);
}
bool is_word(char32_t c) { return is_letter(c) || is_digit(c) || is_solo(c) || is_mark(c); }
bool is_line_break(char32_t c) { return c == U'\n' || c == U'\r' || c == 0x85 || c == 0x2028; }
bool is_space(char32_t c) {
  static const UnicodeSet s = set("[:White_Space:]");
  return in(s, c);
}

UnicodeString fold_cluster(const UnicodeString& source) {
  UErrorCode error = U_ZERO_ERROR;
  const Normalizer2* nfd = Normalizer2::getNFDInstance(error);
  UnicodeString text = nfd->normalize(source, error);
  text = Normalizer2::getNFKCCasefoldInstance(error)->normalize(text, error);
  text = nfd->normalize(text, error);
  UnicodeString kept;
  UChar32 base = 0;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    UChar32 c = text.char32At(i);
    if (c == 0x131) c = 'i';
    if (nfd->getCombiningClass(c) == 0) base = c;
    const bool cyrillic = base >= 0x400 && base < 0x530;
    if (cyrillic && (c == 0x300 || c == 0x301) && base != u'г' && base != u'к') continue;
    if (c == 0x308 && base == u'е') continue;
    if (c == 0x307 && base == 'i') continue;
    kept.append(c);
  }
  return Normalizer2::getNFCInstance(error)->normalize(kept, error);
}

Units folded_units(std::string_view utf8) {
  UErrorCode error = U_ZERO_ERROR;
  const Normalizer2* nfkc_cf = Normalizer2::getNFKCCasefoldInstance(error);
  Units source;
  bool zero_width = false;
  bool soft_hyphen = false;
  std::uint32_t place = 0;
  for (const char32_t c : to_utf32(utf8)) {
    const std::uint32_t at = place++;
    if (c == 0xad) {
      soft_hyphen = true;
    } else if (in(ignorables(), c)) {
      zero_width = true;
    } else {
      source.push_back({c, {at, at + 1}, zero_width, soft_hyphen, false, false});
      zero_width = soft_hyphen = false;
    }
  }
  Units result;
  for (std::size_t i = 0; i < source.size();) {
    Unit cluster = source[i];
    UnicodeString text(static_cast<UChar32>(source[i].c));
    for (++i; i < source.size() && text.countChar32() < 256; ++i) {
      const auto next = static_cast<UChar32>(source[i].c);
      if (nfkc_cf->hasBoundaryBefore(next) != 0 && u_getCombiningClass(next) == 0) break;
      text.append(next);
      cluster.range.end = source[i].range.end;
      cluster.zero_width = cluster.zero_width || source[i].zero_width;
    }
    const UnicodeString folded = fold_cluster(text);
    for (std::int32_t at = 0; at < folded.length(); at = folded.moveIndex32(at, 1)) {
      Unit unit = cluster;
      unit.c = static_cast<char32_t>(folded.char32At(at));
      if (in(apostrophes(), unit.c)) unit.c = U'\'';
      if (in(quotes(), unit.c)) unit.c = U'"';
      if (in(dashes(), unit.c)) unit.c = U'\u2014';
      if (unit.c == 0x2010 || unit.c == 0x2011) unit.c = U'-';
      if (is_space(unit.c) && !is_line_break(unit.c) && unit.c != 0x2029) unit.c = U' ';
      result.push_back(unit);
      cluster.zero_width = false;
    }
  }
  return result;
}

/// Splits at blank lines and U+2029; the paragraphs keep their single line breaks.
std::vector<Units> paragraphs(const Units& units) {
  std::vector<Units> result(1);
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].c == 0x2029) {
      result.emplace_back();
      continue;
    }
    result.back().push_back(units[i]);
    if (!is_line_break(units[i].c)) continue;
    const auto past_break = [&](std::size_t at) {
      return at + 1 < units.size() && units[at].c == U'\r' && units[at + 1].c == U'\n' ? at + 2 : at + 1;
    };
    std::size_t next = past_break(i);
    if (next == i + 2) result.back().push_back(units[++i]);
    while (next < units.size() && (units[next].c == U' ' || is_mark(units[next].c))) ++next;
    if (next < units.size() && is_line_break(units[next].c)) {
      result.emplace_back();
      i = past_break(next) - 1;
    }
  }
  return result;
}

/// Takes marks on nothing away; a space and an acute accent become an apostrophe.
Units settle_marks(const Units& units) {
  Units result;
  for (const Unit& unit : units) {
    if (!is_mark(unit.c)) {
      result.push_back(unit);
      continue;
    }
    if (!result.empty() && is_word(result.back().c)) {
      result.push_back(unit);
    } else if (unit.c == 0x301 && result.size() >= 2 && result.back().c == U' ' &&
               !is_space(result.end()[-2].c) && result.end()[-2].c != U'-') {
      Unit apostrophe = result.back();
      apostrophe.c = U'\'';
      apostrophe.range.end = unit.range.end;
      result.back() = apostrophe;
    }
  }
  return result;
}

/// One space for each run, none at the ends.
Units collapse_spaces(const Units& units) {
  Units result;
  for (const Unit& unit : units) {
    Unit kept = unit;
    if (is_space(unit.c)) {
      kept.c = U' ';
      if (result.empty() || result.back().c == U' ') continue;
    }
    result.push_back(kept);
  }
  if (!result.empty() && result.back().c == U' ') result.pop_back();
  return result;
}

bool ends_in_letter(const Units& units) {
  auto last = units.rbegin();
  while (last != units.rend() && is_mark(last->c)) ++last;
  return last != units.rend() && is_letter(last->c);
}

Units settle_hyphens(const Units& units) {
  Units result;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i];
    if (unit.c == U' ' && unit.soft_hyphen && ends_in_letter(result) && i + 1 < units.size() &&
        is_letter(units[i + 1].c)) {
      result.push_back(units[++i]);
      result.back().after_hyphen = true;
      continue;
    }
    if (unit.c != U'-') {
      result.push_back(unit);
      continue;
    }
    std::size_t past = i;
    while (past < units.size() && units[past].c == U'-') ++past;
    std::size_t next = past;
    while (next < units.size() && units[next].c == U' ') ++next;
    if (past == i + 1 && ends_in_letter(result) && next < units.size() && is_letter(units[next].c)) {
      result.push_back(units[next]);
      result.back().after_hyphen = true;
      i = next;
      continue;
    }
    Unit mark = unit;
    const bool open_before = result.empty() || result.back().c == U' ';
    const bool open_after = past == units.size() || units[past].c == U' ';
    if (past > i + 1 || (open_before && open_after)) mark.c = U'\u2014';
    mark.range.end = units[past - 1].range.end;
    result.push_back(mark);
    i = past - 1;
  }
  return result;
}

Units settle_quotes(const Units& units) {
  Units result;
  for (std::size_t i = 0; i < units.size(); ++i) {
    result.push_back(units[i]);
    if (units[i].c == U'\'' && i + 1 < units.size() && units[i + 1].c == U'\'') {
      result.back().c = U'"';
      result.back().range.end = units[++i].range.end;
    }
  }
  return result;
}

/// Exchanges look-alikes in every run of letters, digits and marks that leaves no doubt.
Units unmask(Units units) {
  WordFolder folder;
  const auto in_run = [&](std::size_t i) {
    return i < units.size() && (is_letter(units[i].c) || is_digit(units[i].c) || is_mark(units[i].c));
  };
  for (std::size_t begin = 0; begin < units.size();) {
    std::size_t end = begin;
    while (in_run(end) && (end == begin ? !is_mark(units[end].c) : !units[end].after_hyphen)) ++end;
    std::u32string letters;
    for (std::size_t i = begin; i < end; ++i) letters += units[i].c;
    const bool changed = folder.unmask({letters.data(), letters.size()});
    for (std::size_t i = begin; i < end; ++i) {
      units[i].c = letters[i - begin];
      units[i].unmasked = changed;
    }
    begin = std::max(end, begin + 1);
  }
  return units;
}

class SentenceMaker {
 public:
  SentenceMaker(const Units& units, const Dictionary& dictionary) : units_(units), dictionary_(dictionary) {
    for (const Unit& unit : units) letters_ += unit.c;
  }

  void run(std::vector<Sentence>& out) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < units_.size(); ++at) {
      if (at < begin || !is_terminator(letters_[at])) continue;
      if (const auto end = sentence_end(letters_, at)) {
        begin = make(begin, *end, out);
      }
    }
    make(begin, units_.size(), out);
  }

 private:
  /// Returns where the next sentence begins: a word that begins before `end` is not divided.
  std::size_t make(std::size_t begin, std::size_t end, std::vector<Sentence>& out) {
    Sentence sentence;
    const std::size_t given_end = end;
    while (begin < end && letters_[begin] == U' ') ++begin;
    while (end > begin && letters_[end - 1] == U' ') --end;
    if (begin == end) return given_end;
    sentence.range = {units_[begin].range.begin, units_[end - 1].range.end};
    for (std::size_t i = begin; i < end;) {
      if (!is_word(letters_[i])) {
        ++i;
        continue;
      }
      const auto [words, past] = take_chain(i);
      sentence.words.insert(sentence.words.end(), words.begin(), words.end());
      i = past;
      sentence.range.end = std::max(sentence.range.end, units_[past - 1].range.end);
      end = std::max(end, past);
    }
    if (!sentence.words.empty()) out.push_back(std::move(sentence));
    return std::max(end, given_end);
  }

  /// The end of the part that begins at i.
  [[nodiscard]] std::size_t part_end(std::size_t i) const {
    const std::size_t begin = i;
    const bool solo = is_solo(letters_[i]);
    for (++i; i < letters_.size() && i - begin < kMaxWordLetters; ++i) {
      const char32_t c = letters_[i];
      if (is_mark(c)) continue;
      if (solo || units_[i].after_hyphen) break;
      if (is_letter(c) || is_digit(c)) continue;
      Units before(units_.begin() + static_cast<std::ptrdiff_t>(begin),
                   units_.begin() + static_cast<std::ptrdiff_t>(i));
      if (c == U'\'' && ends_in_letter(before) && i + 1 < letters_.size() && is_letter(letters_[i + 1]) &&
          !units_[i + 1].after_hyphen) {
        continue;
      }
      break;
    }
    return i;
  }

  [[nodiscard]] std::pair<std::vector<Word>, std::size_t> take_chain(std::size_t i) const {
    std::vector<Word> result;
    std::vector<std::size_t> cuts = {i, part_end(i)};  // the ends of the chain's parts
    const auto finish = [&] {
      for (const auto& [from, to] : best_words(cuts)) result.push_back(word(from, to));
    };
    while (cuts.back() < units_.size() && units_[cuts.back()].after_hyphen) {
      const std::size_t begin = cuts.back();
      const std::size_t end = part_end(begin);
      if (!share_script(cuts.end()[-2], begin, end) || cuts.size() == 17 ||
          end - cuts.front() > kMaxWordLetters) {
        finish();
        cuts = {begin};
      }
      cuts.push_back(end);
    }
    finish();
    return {result, cuts.back()};
  }

  /// All ways to cut at some of the cuts: known words only and as few as can be, the first as long as can be;
  /// else one word.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> best_words(
      const std::vector<std::size_t>& cuts) const {
    using Words = std::vector<std::pair<std::size_t, std::size_t>>;
    std::optional<Words> best;
    const std::size_t inner = cuts.size() - 2;
    for (std::size_t mask = 0; mask < (std::size_t{1} << inner); ++mask) {
      Words words;
      std::size_t from = cuts.front();
      for (std::size_t i = 0; i < inner; ++i) {
        if ((mask >> i & 1U) == 0) continue;
        words.emplace_back(from, cuts[i + 1]);
        from = cuts[i + 1];
      }
      words.emplace_back(from, cuts.back());
      if (!std::all_of(words.begin(), words.end(), [&](const auto& w) { return known(w.first, w.second); }))
        continue;
      if (!best || words.size() < best->size() || (words.size() == best->size() && words > *best))
        best = words;
    }
    return best.value_or(Words{{cuts.front(), cuts.back()}});
  }

  [[nodiscard]] bool share_script(std::size_t a, std::size_t b, std::size_t b_end) const {
    static const UnicodeSet scripts[] = {
        set("[[:Latin:]&[[:L:][:Nl:]]]"), set("[[:Cyrillic:]&[[:L:][:Nl:]]]"),
        set("[[:Greek:]&[[:L:][:Nl:]]]"),
        set("[[:L:][:Nl:]-[:Latin:]-[:Cyrillic:]-[:Greek:]-[:Zyyy:]-[:Zinh:]]")};
    for (const UnicodeSet& script : scripts) {
      const auto has = [&](std::size_t from, std::size_t to) {
        return std::any_of(letters_.begin() + static_cast<std::ptrdiff_t>(from),
                           letters_.begin() + static_cast<std::ptrdiff_t>(to),
                           [&](char32_t c) { return in(script, c); });
      };
      if (has(a, b) && has(b, b_end)) return true;
    }
    return false;
  }

  [[nodiscard]] std::u32string folded(std::size_t from, std::size_t to) const {
    WordFolder folder;
    return std::u32string(folder.fold(to_utf8(letters_.substr(from, to - from))).letters);
  }

  [[nodiscard]] bool known(std::size_t from, std::size_t to) const {
    WordFolder folder;
    return dictionary_.knows(folder.fold(to_utf8(letters_.substr(from, to - from))));
  }

  [[nodiscard]] Word word(std::size_t from, std::size_t to) const {
    static const UnicodeSet disguisable = set("[[:Latin:][:Cyrillic:][:Greek:]&[[:L:][:Nl:]]]");
    Word result{{units_[from].range.begin, units_[to - 1].range.end}, folded(from, to), false, false};
    bool alphabetic = false;
    std::size_t joined_at = from;
    for (std::size_t i = from; i < to; ++i) {
      if (units_[i].after_hyphen) joined_at = i;
      alphabetic = alphabetic || in(disguisable, letters_[i]);
      result.zero_width = result.zero_width || (i != joined_at && units_[i].zero_width);
    }
    result.zero_width = result.zero_width && alphabetic;
    const std::string before = to_utf8(letters_.substr(from, to - from));
    result.mixed_script = std::any_of(units_.begin() + static_cast<std::ptrdiff_t>(from),
                                      units_.begin() + static_cast<std::ptrdiff_t>(to),
                                      [](const Unit& u) { return u.unmasked; }) ||
                          (WordFolder().fold(before).flags & kFoldMixedScript) != 0;
    return result;
  }

  const Units& units_;
  const Dictionary& dictionary_;
  std::u32string letters_;
};

}  // namespace

std::vector<Sentence> scan(std::string_view utf8, const Dictionary& dictionary) {
  std::vector<Sentence> result;
  for (const Units& paragraph : paragraphs(folded_units(utf8))) {
    Units units;
    std::size_t begin = 0;
    while (begin < paragraph.size() && (is_space(paragraph[begin].c) || is_mark(paragraph[begin].c))) ++begin;
    units.assign(paragraph.begin() + static_cast<std::ptrdiff_t>(begin), paragraph.end());
    units = unmask(settle_quotes(settle_hyphens(collapse_spaces(settle_marks(units)))));
    SentenceMaker(units, dictionary).run(result);
  }
  return result;
}

}  // namespace akin::slow
