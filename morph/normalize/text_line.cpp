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

bool may_end_sentence(std::string_view line) {
  std::size_t end = line.size();
  while (end > 0) {
    const auto last = static_cast<unsigned char>(line[end - 1]);
    if ((last | 0x20U) - 'a' < 26U) return false;
    if (last == '.' || last == ',') return last == '.';
    const char32_t c = previous_code_point(line, end);
    const CharKind kind = CharTable::instance()[c].kind();
    if (kind == CharKind::quote || kind == CharKind::apostrophe || c == U')' || c == U']') continue;
    return is_terminator(c) || c == U':' || c == U'…';
  }
  return false;
}

}  // namespace

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
      line.ends_sentence = may_end_sentence(utf8.substr(begin, end - begin));
      lines.push_back(line);
      breaks = 0;
    }
    ++breaks;
    start = line_break + 1;
  }
  return lines;
}

bool lines_show_layout(std::string_view utf8) {
  constexpr std::size_t kMaxSetApart = 1000;  // bytes of a line of at most 250 code points
  std::size_t numbers = 0, indents = 0, set_apart = 0;
  bool after_blank = true;
  for (std::size_t start = 0; start < utf8.size();) {
    const std::size_t end = std::min(utf8.find('\n', start), utf8.size());
    const std::size_t begin = std::min(skip_line_space(utf8, start), end);
    const bool blank = begin == end;
    if (!blank) {
      if (shows_number(utf8.substr(begin, end - begin))) ++numbers;
      if (begin > start && !after_blank) ++indents;
      if (after_blank && end - begin <= kMaxSetApart) {
        const std::size_t next = skip_line_space(utf8, std::min(end + 1, utf8.size()));
        if (next == utf8.size() || utf8[next] == '\n') ++set_apart;
      }
      if (numbers >= 3 || indents >= 2 || set_apart >= 9) return true;
    }
    after_blank = blank;
    start = end + 1;
  }
  return false;
}

}  // namespace akin
