#include "morph/normalize/text_line.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/sentences/boundary.h"

namespace akin {
namespace {

bool is_line_space(char32_t c) {
  return c == U' ' || c == U'\t' || (c >= 0xb && c <= 0xd) || c == 0xa0 || (c >= 0x2000 && c <= 0x200a) ||
         c == 0x202f || c == 0x3000;
}

/// Whether it is a basic Latin letter or the first byte of a Cyrillic one, as at the begin of most lines.
bool begins_common_letter(unsigned char byte) {
  return (byte | 0x20U) - 'a' < 26U || (byte & 0xfcU) == 0xd0U;
}

/// Whether the byte is a character of ASCII that can be seen.
bool is_dark(char byte) { return static_cast<unsigned char>(byte) - 0x21U < 0x5eU; }

/// Dashes and spaces among them, as bytes of UTF-8.
constexpr auto kAroundNumber = [] {
  std::array<bool, 256> around{};
  for (unsigned byte = 0; byte <= ' '; ++byte) around[byte] = true;
  for (unsigned byte = 0x80; byte < 0xc0; ++byte) around[byte] = true;
  for (const unsigned lead : {0xc2U, 0xe2U, 0xe3U}) around[lead] = true;
  for (const char c : std::string_view("-[]()|~*.")) around[static_cast<unsigned char>(c)] = true;
  return around;
}();

/// The character that ends before `end`; moves `end` to its first byte.
char32_t previous_code_point(std::string_view utf8, std::size_t& end) {
  do --end;
  while ((static_cast<unsigned char>(utf8[end]) & 0xc0U) == 0x80U);
  std::size_t at = end;
  return next_code_point(utf8, at);
}

bool ends_long_word(std::string_view text, std::size_t end) {
  constexpr std::size_t kLongWord = 6;  // letters: most abbreviations are shorter
  for (std::size_t length = 0; length < kLongWord; ++length)
    if (end == 0 || CharTable::instance()[previous_code_point(text, end)].kind() != CharKind::letter)
      return false;
  return true;
}

/// Sets the fields that depend on a line's last characters.
void read_end(std::string_view text, TextLine& line) {
  std::size_t end = text.size();
  bool quotes_only = true;
  for (std::size_t closers = 0; end > 0; ++closers) {
    const auto last = static_cast<unsigned char>(text[end - 1]);
    if ((last | 0x20U) - 'a' < 26U) return;
    const char32_t c = previous_code_point(text, end);
    const CharKind kind = CharTable::instance()[c].kind();
    if (kind == CharKind::quote || kind == CharKind::apostrophe || c == U')' || c == U']') {
      quotes_only = quotes_only && kind == CharKind::quote;
      continue;
    }
    line.ends_in_hyphen = closers == 0 && (c == U'-' || c == U'\u2010' || c == U'\u2011' || c == U'\u00ad');
    line.ends_sentence = is_terminator(c) || c == U':' || c == U'…';
    const bool goes_on = c == U',' || c == U'!' || c == U'?' || c == U'…' ||
                         (c == U'.' && end > 0 && text[end - 1] == '.') || (c == U':' && closers == 0);
    line.goes_on = goes_on && closers < kClosersSeen;
    line.ends_long_word = c == U'.' && quotes_only && ends_long_word(text, end);
    return;
  }
}

}  // namespace

std::uint32_t columns_of(std::string_view utf8, const TextLine& line) {
  return static_cast<std::uint32_t>(count_code_points(utf8.substr(line.begin, line.end - line.begin)));
}

bool is_narrow(std::string_view utf8, const TextLine& line) {
  constexpr std::size_t kMostCodePointBytes = 4;
  const std::size_t bytes = line.end - line.begin;
  return bytes <= kMostColumns ||
         (bytes <= kMostColumns * kMostCodePointBytes && columns_of(utf8, line) <= kMostColumns);
}

bool is_full(std::size_t columns_of_line, std::string_view next, std::uint32_t width) {
  std::size_t with_word = columns_of_line + 1;
  for (std::size_t at = 0; with_word * 10 < std::size_t{width} * 9; ++with_word) {
    if (at == next.size() || skip_line_space(next, at) != at) return false;
    static_cast<void>(next_code_point(next, at));
  }
  return true;
}

bool shows_number(std::string_view line) {
  const auto is_around = [](char c) { return kAroundNumber[static_cast<unsigned char>(c)]; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t first = 0, last = line.size();
  while (first < line.size() && is_around(line[first])) ++first;
  if (first < line.size() && is_digit(line[first])) return true;
  while (last > first && is_around(line[last - 1])) --last;
  return last > first && is_digit(line[last - 1]);
}

std::size_t skip_line_space(std::string_view utf8, std::size_t at) {
  while (at < utf8.size() && !begins_common_letter(static_cast<unsigned char>(utf8[at]))) {
    std::size_t next = at;
    if (!is_line_space(next_code_point(utf8, next))) break;
    at = next;
  }
  return at;
}

std::string with_plain_dashes(std::string_view line, std::size_t most) {
  std::string out;
  for (std::size_t at = 0; at < line.size() && out.size() <= most;) {
    const bool is_dash =
        line[at] == '\xe2' && (line.substr(at, 3) == "\u2013" || line.substr(at, 3) == "\u2014");
    out += is_dash ? '-' : line[at];
    at += is_dash ? 3 : 1;
  }
  return out;
}

std::vector<TextLine> lines_of(std::string_view utf8) {
  std::vector<TextLine> lines;
  lines.reserve(utf8.size() / 64);  // as many as a wrapped text has: growing would copy them
  std::uint32_t breaks = 0;
  for (std::size_t start = 0; start < utf8.size();) {
    const std::size_t line_break = std::min(utf8.find('\n', start), utf8.size());
    TextLine line;
    line.start = static_cast<std::uint32_t>(start);
    std::size_t begin = start;
    while (begin < line_break && !begins_common_letter(static_cast<unsigned char>(utf8[begin]))) {
      std::size_t next = begin;
      const char32_t c = next_code_point(utf8, next);
      if (!is_line_space(c)) break;
      line.indent = c == U'\t' ? (line.indent / 8 + 1) * 8 : c == U'\f' || c == U'\r' ? 0 : line.indent + 1;
      begin = next;
    }
    if (begin < line_break) {
      std::size_t end = line_break;
      for (std::size_t before = end;
           !is_dark(utf8[end - 1]) && is_line_space(previous_code_point(utf8, before));)
        end = before;
      line.begin = static_cast<std::uint32_t>(begin);
      line.end = static_cast<std::uint32_t>(end);
      line.breaks = breaks;
      line.is_quoted = utf8[begin] == '>';
      read_end(utf8.substr(begin, end - begin), line);
      lines.push_back(line);
      breaks = 0;
    }
    ++breaks;
    start = line_break + 1;
  }
  return lines;
}

}  // namespace akin
