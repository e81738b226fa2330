#include "tests/morph/words/slow_units.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/utf8.h"
#include "dict/fold/fold.h"

namespace akin::slow {
namespace {

using icu::Normalizer2;
using icu::UnicodeSet;
using icu::UnicodeString;

UnicodeSet unit_set(const char* pattern) {
  UErrorCode error = U_ZERO_ERROR;
  UnicodeSet result(UnicodeString::fromUTF8(pattern), error);
  if (U_FAILURE(error)) std::abort();
  return result.freeze() != nullptr ? result : UnicodeSet();
}

bool is_in(const UnicodeSet& characters, char32_t c) {
  return characters.contains(static_cast<UChar32>(c)) != 0;
}

const UnicodeSet& apostrophes() {
  static const UnicodeSet s = unit_set(
      "[' ` \\u02B9 \\u02BB-\\u02BF \\u02C8 \\u02CA \\u02CB \\u055A \\u05F3 \\u07F4 \\u07F5 "
      "\\u2018-\\u201B \\u2032 \\u2035 "
      "\\uA78B \\uA78C \\uFF07]");
  return s;
}
const UnicodeSet& quotes() {
  static const UnicodeSet s = unit_set(
      "[\\u0022 \\u00AB \\u00BB \\u201C-\\u201F \\u2039 \\u203A \\u301D-\\u301F \\uFF02 \\u05F4 \\u02BA "
      "\\u02EE]");
  return s;
}
const UnicodeSet& dashes() {
  static const UnicodeSet s = unit_set("[\\u2012-\\u2015 \\u2212 \\u2E3A \\u2E3B \\u2500 \\u2501]");
  return s;
}
const UnicodeSet& solos() {
  static const UnicodeSet s = unit_set(
      "[[[:Han:][:Hiragana:][:Katakana:][:Bopomofo:][:Yi:][:Thai:][:Laoo:][:Khmr:][:Mymr:][:Tale:][:Talu:"
      "][:Lana:][:Tavt:]"
      "\\u30FC]&[[:L:][:Nl:]]]");
  return s;
}
const UnicodeSet& special() {
  static const UnicodeSet s = [] {
    UnicodeSet all = unit_set("[\\u002D \\u2010 \\u00AD]");
    all.addAll(apostrophes()).addAll(quotes()).addAll(dashes());
    return all;
  }();
  return s;
}
const UnicodeSet& ignorables() {
  static const UnicodeSet s = unit_set("[:Default_Ignorable_Code_Point:]");
  return s;
}
}  // namespace

bool is_mark(char32_t c) {
  static const UnicodeSet s = unit_set("[[:M:]-[:Default_Ignorable_Code_Point:]]");
  return is_in(s, c);
}
bool is_solo(char32_t c) { return is_in(solos(), c); }
bool is_letter(char32_t c) {
  static const UnicodeSet s = unit_set("[[:L:][:Nl:]-[:Default_Ignorable_Code_Point:]]");
  return is_in(s, c) && !is_in(special(), c) && !is_solo(c);
}
bool is_digit(char32_t c) {
  static const UnicodeSet s = unit_set("[[:Nd:][:No:]]");
  return is_in(s, c);
}
bool is_word(char32_t c) { return is_letter(c) || is_digit(c) || is_solo(c) || is_mark(c); }
namespace {

bool is_line_break(char32_t c) { return c == U'\n' || c == U'\r' || c == 0x85 || c == 0x2028; }
bool is_space(char32_t c) {
  static const UnicodeSet s = unit_set("[:White_Space:]");
  return is_in(s, c);
}

bool is_impossible_mark(UChar32 base, UChar32 mark) {
  static const UnicodeSet letters = unit_set("[a-z \\u00DF-\\u052F]");
  static const UnicodeSet others = unit_set("[\\u0370-\\u052F]");
  static const UnicodeSet anywhere = unit_set("[\\u0335-\\u0338 \\u20DD-\\u20E4]");
  if (letters.contains(base) == 0) return false;
  if (anywhere.contains(mark) != 0) return true;
  const bool other = others.contains(base) != 0;
  const bool ring = base == 'a' || base == 'u' || base == 'w' || base == 'y';
  return (mark == 0x30a && (other || !ring)) || (mark == 0x31b && (other || (base != 'o' && base != 'u'))) ||
         (mark == 0x309 && other);
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
    if (is_impossible_mark(base, c)) continue;
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
    } else if (is_in(ignorables(), c)) {
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
      if (is_in(apostrophes(), unit.c)) unit.c = U'\'';
      if (is_in(quotes(), unit.c)) unit.c = U'"';
      if (is_in(dashes(), unit.c)) unit.c = U'\u2014';
      if (unit.c == 0x2010 || unit.c == 0x2011) unit.c = U'-';
      if (is_space(unit.c) && !is_line_break(unit.c) && unit.c != 0x2029) unit.c = U' ';
      result.push_back(unit);
      cluster.zero_width = false;
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

}  // namespace

bool ends_in_letter(const Units& units) {
  auto last = units.rbegin();
  while (last != units.rend() && is_mark(last->c)) ++last;
  return last != units.rend() && is_letter(last->c);
}

namespace {

Units settle_hyphens(const Units& units) {
  Units result;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i];
    if (unit.c == U' ' && unit.soft_hyphen && ends_in_letter(result) && i + 1 < units.size() &&
        is_letter(units[i + 1].c)) {
      result.push_back(units[++i]);
      result.back().after_hyphen = result.back().after_soft = true;
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

}  // namespace

namespace {

/// Whether only the marks decide about a sentence's end at a blank line after these characters.
bool goes_on(const Units& before) {
  constexpr std::size_t kSeen = 600;
  Units end(before.end() - static_cast<std::ptrdiff_t>(std::min(before.size(), kSeen)), before.end());
  while (!end.empty() && (is_space(end.front().c) || is_mark(end.front().c))) end.erase(end.begin());
  end = settle_quotes(settle_hyphens(collapse_spaces(settle_marks(end))));
  std::u32string text;
  for (const Unit& unit : end) text += unit.c;
  std::size_t hyphens = 0;
  for (auto unit = before.rbegin();
       unit != before.rend() && (is_space(unit->c) || is_mark(unit->c) || unit->c == U'-'); ++unit) {
    if (unit->c == U'-') ++hyphens;
    if (hyphens > 0 && is_space(unit->c)) break;
  }
  if (hyphens > 0) return hyphens < 3 && text.ends_with(U'\u2014');
  if (text.ends_with(U':')) return true;
  const std::size_t past = text.find_last_not_of(U"\"'`)]}*\u2020\u2021");
  if (past == text.npos || past + 8 < text.size()) return false;
  text.resize(past + 1);
  if (text.ends_with(U"\u2014")) return !text.ends_with(U"\u2014\u2014");
  return text.ends_with(U"..") || std::u32string_view(U"!?,").find(text.back()) != text.npos;
}

/// Splits at blank lines, unless the paragraph goes on after one, and at U+2029; the paragraphs keep their
/// other line breaks.
std::vector<Units> paragraphs(const Units& units) {
  std::vector<Units> result(1);
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].c == 0x2029 && !goes_on(result.back())) {
      result.emplace_back();
      continue;
    }
    result.back().push_back(units[i]);
    if (units[i].c == 0x2029) result.back().back().c = U' ';
    if (!is_line_break(units[i].c)) continue;
    const auto past_break = [&](std::size_t at) {
      return at + 1 < units.size() && units[at].c == U'\r' && units[at + 1].c == U'\n' ? at + 2 : at + 1;
    };
    std::size_t next = past_break(i);
    if (next == i + 2) result.back().push_back(units[++i]);
    while (next < units.size() && (units[next].c == U' ' || is_mark(units[next].c))) ++next;
    if (next < units.size() && is_line_break(units[next].c) && !goes_on(result.back())) {
      result.emplace_back();
      i = past_break(next) - 1;
    }
  }
  return result;
}

}  // namespace

std::vector<Units> folded_paragraphs(std::string_view utf8) {
  std::vector<Units> result;
  for (const Units& paragraph : paragraphs(folded_units(utf8))) {
    std::size_t begin = 0;
    while (begin < paragraph.size() && (is_space(paragraph[begin].c) || is_mark(paragraph[begin].c))) ++begin;
    const Units units(paragraph.begin() + static_cast<std::ptrdiff_t>(begin), paragraph.end());
    result.push_back(unmask(settle_quotes(settle_hyphens(collapse_spaces(settle_marks(units))))));
  }
  return result;
}

}  // namespace akin::slow
