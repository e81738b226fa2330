#include "morph/normalize/note_marks.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/sentences/boundary.h"

namespace akin {
namespace {

constexpr std::size_t kMaxDigits = 3;
constexpr std::size_t kMaxUnit = 3;

bool is_superscript(char32_t c) {
  return c == 0xb2 || c == 0xb3 || c == 0xb9 || c == 0x2070 || (c >= 0x2074 && c <= 0x2079);
}

/// Units of two letters or more that have squares and cubes.
bool is_unit(std::u32string_view word) {
  constexpr std::array<std::u32string_view, 12> kUnits = {U"мм", U"см", U"дм", U"км", U"нм", U"мкм",
                                                          U"mm", U"cm", U"dm", U"km", U"nm", U"ft"};
  return std::ranges::find(kUnits, word) != kUnits.end();
}

/// The character that ends before `end`; moves `end` to its first byte.
char32_t character_before(std::string_view text, std::size_t& end) {
  do --end;
  while ((static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U);
  std::size_t at = end;
  return next_code_point(text, at);
}

/// Whether a mark may follow what ends before `end`.
bool takes_note(std::string_view text, std::size_t end) {
  if (end == 0) return false;
  const char32_t c = character_before(text, end);
  const CharKind kind = CharTable::instance()[c].kind();
  return kind == CharKind::letter || kind == CharKind::mark || kind == CharKind::quote ||
         kind == CharKind::apostrophe || is_terminator(c) || c == U',' || c == U';' || c == U':' ||
         c == U')' || c == U']' || c == U'…';
}

/// Whether a single letter or a unit ends before `end`.
bool is_squared(std::string_view text, std::size_t end) {
  std::u32string word;
  while (end > 0 && word.size() <= kMaxUnit) {
    const char32_t c = character_before(text, end);
    const CharKind kind = CharTable::instance()[c].kind();
    if (kind == CharKind::mark) continue;
    if (kind != CharKind::letter) break;
    word.insert(word.begin(), static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
  }
  return word.size() == 1 || is_unit(word);
}

/// The end of [12] at `at`; `at` if there is none.
std::size_t bracketed_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end >= text.size() || text[end] != '[') return at;
  ++end;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const std::size_t digits = end - at - 1;
  return digits > 0 && digits <= kMaxDigits && end < text.size() && text[end] == ']' ? end + 1 : at;
}

std::size_t superscripts_end(std::string_view text, std::size_t at) {
  for (std::size_t next = at; next < text.size(); at = next)
    if (!is_superscript(next_code_point(text, next))) break;
  return at;
}

}  // namespace

void find_note_marks(std::string_view utf8, std::vector<ArrivalEdit>& edits) {
  std::vector<std::size_t> places;
  const auto find = [&](char lead, auto may_begin) {
    for (std::size_t at = utf8.find(lead); at != std::string_view::npos; at = utf8.find(lead, at + 1))
      if (at + 1 < utf8.size() && may_begin(static_cast<unsigned char>(utf8[at + 1]))) places.push_back(at);
  };
  find('[', [](unsigned char next) { return next >= '0' && next <= '9'; });
  find('\xc2', [](unsigned char next) { return next == 0xb2 || next == 0xb3 || next == 0xb9; });
  find('\xe2', [](unsigned char next) { return next == 0x81; });
  std::ranges::sort(places);
  std::size_t removed_begin = 0, removed_end = 0;  // marks in a row
  for (const std::size_t at : places) {
    if (at < removed_end) continue;
    const std::size_t before = at == removed_end ? removed_begin : at;
    if (!takes_note(utf8, before)) continue;
    std::size_t end = at;
    for (std::size_t next = bracketed_end(utf8, end); next > end; next = bracketed_end(utf8, end)) end = next;
    if (end == at && !is_squared(utf8, before)) end = superscripts_end(utf8, at);
    if (end == at) continue;
    edits.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end), {}});
    removed_begin = before;
    removed_end = end;
  }
}

}  // namespace akin
