#include "server/check/quotations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "server/check/block_quotations.h"
#include "server/check/lines.h"

namespace akin::check {

namespace {

/// A mark that can begin a quotation, and those that can end it: all of CLDR's but for ’…’, which apostrophes
/// look like, and those that are typed for them.
struct QuotationMarks {
  char32_t open;
  std::u32string_view close;
};

constexpr std::array kMarks = {
    QuotationMarks{U'«', U"»"},     QuotationMarks{U'»', U"«»"},   QuotationMarks{U'„', U"“”\""},
    QuotationMarks{U'“', U"”\""},   QuotationMarks{U'”', U"”“\""}, QuotationMarks{U'"', U"\"”"},
    QuotationMarks{U'‹', U"›"},     QuotationMarks{U'›', U"‹›"},   QuotationMarks{U'‚', U"‘’"},
    QuotationMarks{U'‘', U"’‘"},    QuotationMarks{U'’', U"‘"},    QuotationMarks{U'״', U"״"},
    QuotationMarks{U'「', U"」"},   QuotationMarks{U'『', U"』"},  QuotationMarks{U'《', U"》"},
    QuotationMarks{U'〈', U"〉"},   QuotationMarks{U'＂', U"＂"},  QuotationMarks{U'‟', U"”“\""},
    QuotationMarks{U'〝', U"〞〟"}, QuotationMarks{U'﹁', U"﹂"},  QuotationMarks{U'﹃', U"﹄"},
    QuotationMarks{U'❝', U"❞"},
};

/// All of them, ascending.
const std::u32string& all_marks() {
  static const std::u32string kAll = [] {
    std::u32string all;
    for (const QuotationMarks& marks : kMarks) all.append(1, marks.open).append(marks.close);
    std::ranges::sort(all);
    return all;
  }();
  return kAll;
}

/// The maximum number of open marks; the oldest is dropped first.
constexpr std::size_t kMaxOpen = 32;

/// Whether a mark begins quotations only where a word may begin: it can also end one, or is an apostrophe.
bool is_ambiguous(char32_t c) noexcept {
  return std::u32string_view(U"»”\"›‘’״＂").find(c) != std::u32string_view::npos;
}

/// Whether a mark ends quotations only where a word may end: inside a word it is an apostrophe, or the mark
/// of a Hebrew abbreviation.
bool ends_words(char32_t c) noexcept { return c == U'’' || c == U'‘' || c == U'״'; }

bool begins_with_letter(std::string_view utf8) {
  std::size_t at = 0;
  if (utf8.empty()) return false;
  const CharKind kind = CharTable::instance()[next_code_point(utf8, at)].kind();
  return kind == CharKind::letter || kind == CharKind::digit;
}

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

/// The quotations between marks of a paragraph. One that does not end in it continues in the next one if that
/// begins with the same mark.
class MarkedQuotations {
 public:
  explicit MarkedQuotations(std::vector<TextRange>& found) : found_(found) {}

  /// `before`: the character before `c`; `rest`: the line after it.
  void take(char32_t before, char32_t c, std::uint32_t position, std::string_view rest) {
    if (!began_ && CharTable::instance()[c].kind() != CharKind::space) go_on(c);
    if (!std::ranges::binary_search(all_, c)) return;
    if (close(c, position, rest)) return;
    const auto* marks = std::ranges::find(kMarks, c, &QuotationMarks::open);
    if (marks == kMarks.end() || (is_ambiguous(c) && !may_precede_word(before))) return;
    if (open_.size() == kMaxOpen) open_.erase(open_.begin());
    open_.push_back({marks, position, before});
  }

  /// `end`: of its text.
  void end_paragraph(std::uint32_t end) {
    if (!began_) return;
    carried_ = std::exchange(open_, {});
    carried_end_ = end;
    began_ = false;
  }

 private:
  struct Open {
    const QuotationMarks* marks;
    std::uint32_t position;
    char32_t before;
  };

  /// At the first character of a paragraph: the last one belongs to a quotation that this one continues.
  void go_on(char32_t c) {
    began_ = true;
    const auto same = std::ranges::find(carried_, c, [](const Open& open) { return open.marks->open; });
    if (same != carried_.end()) add({same->position, carried_end_});
    carried_.clear();
  }

  /// Drops what is inside it.
  void add(TextRange range) {
    while (!found_.empty() && found_.back().begin >= range.begin) found_.pop_back();
    found_.push_back(range);
  }

  /// Ends the innermost quotation that `c` can end; quotations begun inside it are dropped.
  bool close(char32_t c, std::uint32_t position, std::string_view rest) {
    if (ends_words(c) && begins_with_letter(rest)) return false;
    const auto ends = [c](const Open& open) {
      return open.marks->close.find(c) != std::u32string_view::npos;
    };
    const auto innermost = std::find_if(open_.rbegin(), open_.rend(), ends);
    if (innermost == open_.rend()) return false;
    if (c == U'"' && is_cell(innermost->before, rest)) {
      std::erase_if(found_, [&](TextRange one) { return one.begin >= innermost->position; });
    } else {
      add({innermost->position, position + 1});
    }
    open_.erase(innermost.base() - 1, open_.end());
    return true;
  }

  const std::u32string& all_ = all_marks();
  std::vector<TextRange>& found_;  ///< ascending and disjoint
  std::vector<Open> open_;
  std::vector<Open> carried_;  ///< open at the end of the last paragraph
  std::uint32_t carried_end_ = 0;
  bool began_ = false;  ///< the paragraph has text
};

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

std::vector<TextRange> find_quotations(std::string_view utf8) { return find_quotations(lines_of(utf8)); }

std::vector<TextRange> find_quotations(const std::vector<Line>& lines) {
  const std::vector<TextRange> blocks = find_block_quotations(lines);
  std::vector<TextRange> found;
  MarkedQuotations marked(found);
  auto block = blocks.begin();
  std::uint32_t end = 0;  // of the last line with text
  for (const Line& line : lines) {
    if (block != blocks.end() && line.range.begin == block->begin) marked.end_paragraph(end);
    const bool in_block = block != blocks.end() && line.range.begin >= block->begin;
    if (line.blank) marked.end_paragraph(end);
    if (!line.blank) end = line.range.end;
    if (!in_block) take_line(line, marked);
    if (in_block && line.range.end == block->end) {
      marked.end_paragraph(end);
      found.push_back(*block++);
    }
    if (line.ends_paragraph) marked.end_paragraph(end);
  }
  return found;
}

}  // namespace akin::check
