#include "server/check/lines.h"

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin::check {

std::vector<Line> lines_of(std::string_view utf8) {
  std::vector<Line> lines;
  std::uint32_t position = 0;
  std::size_t begin_byte = 0;
  const auto begin_line = [&] {
    Line line;
    line.range = {position, position};
    line.blank = true;
    return line;
  };
  Line line = begin_line();
  const auto end_line = [&](std::size_t end_byte, std::uint32_t end, std::size_t next_byte) {
    line.range.end = end;
    line.text = utf8.substr(begin_byte, end_byte - begin_byte);
    lines.push_back(line);
    begin_byte = next_byte;
    line = begin_line();
  };
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t byte = at;
    const std::uint32_t here = position;
    const char32_t c = next_code_point(utf8, at);
    ++position;
    if (c == U'\r' && at < utf8.size() && utf8[at] == '\n') {
      ++at;
      ++position;
    }
    const CharKind kind = CharTable::instance()[c].kind();
    if (kind == CharKind::line_break || kind == CharKind::paragraph_break) {
      line.ends_paragraph = kind == CharKind::paragraph_break;
      end_line(byte, here, at);
    } else if (kind != CharKind::space && kind != CharKind::ignorable) {
      line.blank = false;
    }
  }
  if (begin_byte < utf8.size()) end_line(utf8.size(), position, utf8.size());
  return lines;
}

}  // namespace akin::check
