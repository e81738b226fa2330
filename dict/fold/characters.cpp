#include "dict/fold/characters.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>

#include <algorithm>

namespace akin {
namespace {

const UNormalizer2* form(const char* name, UNormalization2Mode mode) {
  UErrorCode error = U_ZERO_ERROR;
  return unorm2_getInstance(nullptr, name, mode, &error);
}

// ICU's own data is part of its library; these calls cannot fail.
const UNormalizer2* nfkc_casefold() {
  static const UNormalizer2* const instance = form("nfkc_cf", UNORM2_COMPOSE);
  return instance;
}
const UNormalizer2* nfc() {
  static const UNormalizer2* const instance = form("nfc", UNORM2_COMPOSE);
  return instance;
}
const UNormalizer2* nfd() {
  static const UNormalizer2* const instance = form("nfc", UNORM2_DECOMPOSE);
  return instance;
}

bool is_apostrophe(char32_t c) {
  return std::u32string_view(
             U"'`"
             U"\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u07f4\u07f5\u2018"
             U"\u2019\u201a"
             U"\u201b\u2032\u2035\ua78b\ua78c\uff07")
             .find(c) != std::u32string_view::npos;
}

bool is_quote(char32_t c) {
  return std::u32string_view(
             U"\"\u00ab\u00bb\u201c\u201d\u201e\u201f\u2039\u203a\u301d\u301e\u301f\uff02\u05f4\u02ba\u02ee")
             .find(c) != std::u32string_view::npos;
}

bool is_dash(char32_t c) {
  return (c >= 0x2012 && c <= 0x2015) || c == 0x2212 || c == 0x2e3a || c == 0x2e3b || c == 0x2500 ||
         c == 0x2501;
}

bool without_spaces(UScriptCode script) {
  switch (script) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_KATAKANA_OR_HIRAGANA:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_YI:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
    case USCRIPT_TAI_LE:
    case USCRIPT_NEW_TAI_LUE:
    case USCRIPT_LANNA:
    case USCRIPT_TAI_VIET:
      return true;
    default:
      return false;
  }
}

UScriptCode script_of(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &error);
}

std::uint8_t script_bits(UScriptCode script) {
  switch (script) {
    case USCRIPT_LATIN:
      return kLatin;
    case USCRIPT_CYRILLIC:
      return kCyrillic;
    case USCRIPT_GREEK:
      return kGreek;
    case USCRIPT_COMMON:
    case USCRIPT_INHERITED:
      return kNoScript;
    default:
      return kOtherScript;
  }
}

CharKind kind_of(char32_t c, UScriptCode script) {
  const auto u = static_cast<UChar32>(c);
  if (c == U'\n' || c == U'\r' || c == 0x85 || c == 0x2028) return CharKind::line_break;
  if (c == 0x2029) return CharKind::paragraph_break;
  if (c == 0xad) return CharKind::soft_hyphen;
  if (c == U'-' || c == 0x2010 || c == 0x2011) return CharKind::hyphen;
  if (is_dash(c)) return CharKind::dash;
  if (is_apostrophe(c)) return CharKind::apostrophe;
  if (is_quote(c)) return CharKind::quote;
  if (u_hasBinaryProperty(u, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) return CharKind::ignorable;
  if (u_isUWhiteSpace(u) != 0) return CharKind::space;
  const auto type = U_GET_GC_MASK(u);
  if ((type & U_GC_M_MASK) != 0) return CharKind::mark;
  if (c == 0x30fc || without_spaces(script))
    return (type & (U_GC_L_MASK | U_GC_NL_MASK)) != 0 ? CharKind::solo
           : (type & U_GC_N_MASK) != 0                ? CharKind::digit
                                                      : CharKind::other;
  if ((type & (U_GC_L_MASK | U_GC_NL_MASK)) != 0) return CharKind::letter;
  if ((type & U_GC_N_MASK) != 0) return CharKind::digit;
  return CharKind::other;
}

/// The one character that replaces every character of a kind; 0 = each keeps its own.
char32_t common_spelling(CharKind kind) {
  switch (kind) {
    case CharKind::space:
      return U' ';
    case CharKind::hyphen:
      return U'-';
    case CharKind::dash:
      return U'\u2014';
    case CharKind::apostrophe:
      return U'\'';
    case CharKind::quote:
      return U'"';
    default:
      return 0;
  }
}

/// The letter that a letter of another shape is: small capitals, which NFKC leaves as they are, and Lisu
/// letters, which are Latin capitals, some of them turned.
char32_t of_other_shape(char32_t c) {
  constexpr std::u32string_view kShapes =
      U"\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18"
      U"\ua7af\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22\u1d26\u1d27\u1d28\u1d29\u1d2a\u1d2b"
      U"\ua4ee\ua4d0\ua4da\ua4d3\ua4f0\ua4dd\ua4d6\ua4e7\ua4f2\ua4d9\ua4d7\ua4e1\ua4df\ua4e0\ua4f3\ua4d1"
      U"\ua4e3\ua4e2\ua4d4\ua4f4\ua4e6\ua4ea\ua4eb\ua4ec\ua4dc";
  constexpr std::u32string_view kLetters = U"abcdefghijklmnopqrstuvwyzγλπρψлabcdefghijklmnoprstuvwxyz";
  static_assert(kShapes.size() == kLetters.size());
  const std::size_t at = c < 0x262 ? kShapes.npos : kShapes.find(c);
  return at == kShapes.npos ? c : kLetters[at];
}

/// The letter in a black circle or square; 0 for any other character.
char32_t in_black(char32_t c) {
  constexpr char32_t kCircled = 0x1f150, kSquared = 0x1f170, kLetters = 26;
  if (c >= kCircled && c < kCircled + kLetters) return U'a' + (c - kCircled);
  if (c >= kSquared && c < kSquared + kLetters) return U'a' + (c - kSquared);
  return 0;
}

/// ё, and е or и with a precomposed grave; dotless i; letters of other shapes.
char32_t plain_letter(char32_t c) {
  switch (c) {
    case 0x451:
    case 0x450:
      return 0x435;
    case 0x45d:
      return 0x438;
    case 0x131:
      return U'i';
    default:
      return of_other_shape(c);
  }
}

std::size_t apply(const UNormalizer2* normalizer, const std::vector<char16_t>& in, std::size_t length,
                  std::vector<char16_t>& out) {
  for (;;) {
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t made = unorm2_normalize(normalizer, in.data(), static_cast<std::int32_t>(length),
                                               out.data(), static_cast<std::int32_t>(out.size()), &error);
    if (error == U_BUFFER_OVERFLOW_ERROR) {
      out.resize(static_cast<std::size_t>(made) + 16);
      continue;
    }
    return U_SUCCESS(error) ? static_cast<std::size_t>(made) : 0;
  }
}

CharInfo compute(char32_t c) {
  if (const char32_t letter = in_black(c); letter != 0) return compute(letter);
  const UScriptCode script = script_of(c);
  const CharKind kind = kind_of(c, script);
  const std::uint8_t scripts = kind == CharKind::letter ? script_bits(script) : std::uint8_t{kNoScript};
  if (kind == CharKind::ignorable || kind == CharKind::soft_hyphen) return {c, kind, kNoScript, false};
  const auto u = static_cast<UChar32>(c);
  if (unorm2_hasBoundaryBefore(nfkc_casefold(), u) == 0 || kind == CharKind::mark)
    return {c, kind, scripts, true};
  if (const char32_t common = common_spelling(kind); common != 0 && c != 0xb4)
    return {common, kind, scripts, false};

  std::vector<char16_t> source(2), folded(32);
  std::size_t length = 0;
  U16_APPEND_UNSAFE(source.data(), length, u);
  length = apply(nfkc_casefold(), source, length, folded);
  std::size_t at = 0;
  UChar32 first = 0;
  if (length > 0) U16_NEXT(folded.data(), at, length, first);
  if (length == 0 || at != length) return {c, kind, scripts, true};
  const auto letter = static_cast<char32_t>(first);
  if (letter == c) {
    const char32_t plain = plain_letter(c);
    return plain == c ? CharInfo{c, kind, scripts, false} : compute(plain);
  }
  const CharInfo target = compute(letter);
  return target.composes() ? CharInfo{c, kind, scripts, true} : target;
}

/// A mark that no language puts on the letter: lines through it and around it, a ring or horn on a letter
/// that never has one, a hook above a Cyrillic or Greek letter.
bool is_impossible(char32_t base, char32_t mark) {
  if (mark < 0x309 || base > 0x52f) return false;
  const bool latin = base < 0x370;
  const bool letter = (base >= U'a' && base <= U'z') || base >= 0xdf;
  if (!letter) return false;
  const auto is_one_of = [](char32_t c, std::u32string_view set) {
    return set.find(c) != std::u32string_view::npos;
  };
  if ((mark >= 0x335 && mark <= 0x338) || (mark >= 0x20dd && mark <= 0x20e4)) return true;
  if (mark == 0x30a) return !latin || !is_one_of(base, U"auwy");
  if (mark == 0x31b) return !latin || !is_one_of(base, U"ou");
  return mark == 0x309 && !latin;
}

}  // namespace

CharTable::CharTable() {
  for (char32_t c = 0; c < kSize; ++c) rows_[c] = compute(c);
}

const CharTable& CharTable::instance() {
  static const CharTable table;
  return table;
}

CharInfo CharTable::beyond(char32_t c) noexcept {
  if ((c >= 0x3400 && c < 0x4dc0) || (c >= 0x4e00 && c < 0x9fff))
    return {c, CharKind::solo, kNoScript, false};
  if (c >= 0xac00 && c < 0xd7a4) return {c, CharKind::letter, kOtherScript, false};
  return compute(c);
}

bool CharTable::begins_cluster(char32_t c) noexcept {
  // U+0345 folds to a letter, yet is ordered among the marks until then.
  const auto u = static_cast<UChar32>(c);
  return unorm2_hasBoundaryBefore(nfkc_casefold(), u) != 0 && u_getCombiningClass(u) == 0;
}

void ClusterFolder::load(std::u32string_view letters) {
  utf16_.resize(std::max(utf16_.size(), letters.size() * 2));
  other16_.resize(std::max<std::size_t>(other16_.size(), 64));
  length_ = 0;
  for (const char32_t c : letters) U16_APPEND_UNSAFE(utf16_.data(), length_, static_cast<UChar32>(c));
}

std::u32string_view ClusterFolder::unload(const std::vector<char16_t>& from, std::size_t length) {
  out_.clear();
  for (std::size_t at = 0; at < length;) {
    UChar32 c = 0;
    U16_NEXT(from.data(), at, length, c);
    out_.push_back(static_cast<char32_t>(c));
  }
  return {out_.data(), out_.size()};
}

std::u32string_view ClusterFolder::decompose(std::u32string_view letters) {
  load(letters);
  return unload(other16_, apply(nfd(), utf16_, length_, other16_));
}

std::u32string_view ClusterFolder::fold(std::u32string_view cluster) {
  std::u32string letters(cluster);
  for (char32_t& c : letters) {
    if (const char32_t letter = in_black(c); letter != 0) c = letter;
  }
  load(letters);
  // Decomposing first puts marks in their canonical order, so that the iota subscript folds to its letter
  // last.
  std::size_t length = apply(nfd(), utf16_, length_, other16_);
  length = apply(nfkc_casefold(), other16_, length, utf16_);
  length = apply(nfd(), utf16_, length, other16_);
  std::size_t kept = 0;
  char32_t base = 0;
  for (std::size_t i = 0; i < length; ++i) {
    char16_t c = other16_[i];
    if (c == 0x131) c = u'i';
    c = static_cast<char16_t>(of_other_shape(c));
    if (u_getCombiningClass(c) == 0) base = c;
    const bool cyrillic = base >= 0x400 && base < 0x530;
    const bool stress = (c == 0x300 || c == 0x301) && cyrillic && base != 0x433 && base != 0x43a;
    const bool diaeresis_of_yo = c == 0x308 && base == 0x435;
    const bool dot_of_i = c == 0x307 && base == U'i';
    if (!stress && !diaeresis_of_yo && !dot_of_i && !is_impossible(base, c)) other16_[kept++] = c;
  }
  return unload(utf16_, apply(nfc(), other16_, kept, utf16_));
}

}  // namespace akin
