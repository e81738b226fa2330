#include "server/check/quotations.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "server/check/lines.h"

namespace akin::check {

namespace {

/// A mark that can begin a quotation, and the two that can end it.
struct Marks {
  char32_t open;
  std::array<char32_t, 2> close;
};

constexpr std::array kMarks = {
    Marks{U'«', {U'»', U'»'}},    Marks{U'»', {U'«', U'«'}},    Marks{U'„', {U'“', U'”'}},
    Marks{U'“', {U'”', U'”'}},    Marks{U'”', {U'”', U'”'}},    Marks{U'"', {U'"', U'"'}},
    Marks{U'「', {U'」', U'」'}}, Marks{U'『', {U'』', U'』'}}, Marks{U'《', {U'》', U'》'}},
};

/// The maximum number of open marks; the oldest is dropped first.
constexpr std::size_t kMaxOpen = 32;

/// Whether a mark that begins quotations can also end one.
bool may_close(char32_t c) noexcept { return c == U'»' || c == U'”' || c == U'"'; }

bool may_precede_word(char32_t c) {
  if (c == U'(' || c == U'[' || c == U'{') return true;
  const CharKind kind = CharTable::instance()[c].kind();
  return kind == CharKind::space || kind == CharKind::line_break || kind == CharKind::dash ||
         kind == CharKind::hyphen || kind == CharKind::quote;
}

/// Whether what straight marks enclose is a cell of a table: of one with tabs, or the first of a line with
/// commas or semicolons (a mark after these begins no quotation). `rest`: the line after the second mark.
bool is_cell(char32_t before, std::string_view rest) {
  return before == U'\t' || rest.starts_with('\t') || rest.starts_with(",\"") || rest.starts_with(";\"");
}

/// The quotations between marks of one paragraph.
class MarkedQuotations {
 public:
  explicit MarkedQuotations(std::vector<TextRange>& found) : found_(found) {}

  /// `before`: the character before `c`; `rest`: the line after it.
  void take(char32_t before, char32_t c, std::uint32_t position, std::string_view rest) {
    if (close(c, position, rest)) return;
    const auto* marks = std::ranges::find(kMarks, c, &Marks::open);
    if (marks == kMarks.end() || (may_close(c) && !may_precede_word(before))) return;
    if (open_.size() == kMaxOpen) open_.erase(open_.begin());
    open_.push_back({marks, position, before});
  }

  void end_paragraph() { open_.clear(); }

 private:
  struct Open {
    const Marks* marks;
    std::uint32_t position;
    char32_t before;
  };

  /// Ends the innermost quotation that `c` can end; quotations begun inside it are dropped.
  bool close(char32_t c, std::uint32_t position, std::string_view rest) {
    const auto ends = [c](const Open& open) {
      return open.marks->close[0] == c || open.marks->close[1] == c;
    };
    const auto innermost = std::find_if(open_.rbegin(), open_.rend(), ends);
    if (innermost == open_.rend()) return false;
    const TextRange range{innermost->position, position + 1};
    while (!found_.empty() && found_.back().begin >= range.begin) found_.pop_back();
    if (c != U'"' || !is_cell(innermost->before, rest)) found_.push_back(range);
    open_.erase(innermost.base() - 1, open_.end());
    return true;
  }

  std::vector<TextRange>& found_;  ///< ascending and disjoint
  std::vector<Open> open_;
};

/// Whether the line is a line of a block quotation.
bool is_block_quote(std::string_view line) {
  constexpr std::size_t kIndent = 3;
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  return indent <= kIndent && line.substr(indent).starts_with('>');
}

void take_line(const Line& line, MarkedQuotations& marked) {
  char32_t before = U'\n';
  std::uint32_t position = line.range.begin;
  for (std::size_t at = 0; at < line.text.size(); ++position) {
    const char32_t c = next_code_point(line.text, at);
    marked.take(before, c, position, line.text.substr(at));
    before = c;
  }
}

}  // namespace

std::vector<TextRange> find_quotations(std::string_view utf8) {
  std::vector<TextRange> found;
  MarkedQuotations marked(found);
  bool in_block = false;
  for (const Line& line : lines_of(utf8)) {
    const bool block = is_block_quote(line.text);
    if (line.blank || block != in_block) marked.end_paragraph();
    if (block && in_block) {
      found.back().end = line.range.end;
    } else if (block) {
      found.push_back(line.range);
    } else {
      take_line(line, marked);
    }
    in_block = block;
    if (line.ends_paragraph) marked.end_paragraph();
  }
  return found;
}

}  // namespace akin::check
