#include "morph/normalize/line_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/utf8.h"
#include "morph/normalize/text_line.h"

namespace akin {
namespace {

constexpr std::size_t kMinNumberedLines = 10;
constexpr std::size_t kMinNumbers = 4;
constexpr std::size_t kMinPages = 3;
constexpr std::uint64_t kMinPageBytes = 400;
constexpr std::size_t kMaxLinesOfPage = 200;
constexpr std::size_t kMinSpacedLines = 10;
constexpr std::uint32_t kMinColumns = 55, kMaxColumns = 250;  // of lines set apart by blank lines
constexpr std::size_t kMaxCodePointBytes = 4;
constexpr std::uint32_t kMinNumberedColumns = 30;
constexpr std::size_t kMinIndents = 2;
constexpr std::size_t kMaxHead = 200;  // bytes of a line with a page number

class LineLayout {
 public:
  LineLayout(std::string_view utf8, std::vector<ArrivalEdit>& edits)
      : text_(utf8), lines_(lines_of(utf8)), edits_(edits) {}

  void run() {
    remove_line_numbers();
    remove_page_furniture();
    join_spaced_lines();
    divide_at_indents();
  }

 private:
  static constexpr std::uint32_t kNoNumber = 0xffffffffU;

  [[nodiscard]] std::string_view letters(const TextLine& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }

  /// Code points of a line.
  [[nodiscard]] std::uint32_t columns(const TextLine& line) const {
    return static_cast<std::uint32_t>(count_code_points(letters(line)));
  }

  [[nodiscard]] bool is_narrow(const TextLine& line) const {
    const std::size_t bytes = line.end - line.begin;
    return bytes <= kMaxColumns ||
           (bytes <= kMaxColumns * kMaxCodePointBytes && columns(line) <= kMaxColumns);
  }

  /// Adds an edit for all between two lines.
  void set_between(const TextLine& before, const TextLine& after, std::string_view by) {
    edits_.push_back({before.end, after.begin, by});
  }

  // Line numbers.

  struct Numbered {
    std::size_t line = 0;
    std::uint32_t number = 0;
    std::size_t end = 0;  ///< byte after the number and the white space after it
  };

  /// A number of up to five digits that begins a line, with white space or nothing after it.
  [[nodiscard]] Numbered number_at_start(std::size_t i) const {
    const TextLine& line = lines_[i];
    Numbered found{i, 0, 0};
    std::size_t at = line.begin;
    while (at < line.end && at - line.begin < 5 && text_[at] >= '0' && text_[at] <= '9')
      found.number = found.number * 10 + static_cast<std::uint32_t>(text_[at++] - '0');
    if (at == line.begin) return found;
    const std::size_t past = skip_line_space(text_, at);
    if (at == line.end)
      found.end = at;
    else if (past > at)
      found.end = past;
    return found;
  }

  /// Numbers that grow by one with every line.
  void remove_line_numbers() {
    std::vector<Numbered> run;
    const auto settle = [&] {
      if (run.size() >= kMinNumbers && run.back().line - run.front().line + 1 >= kMinNumberedLines &&
          is_wrapped(run))
        for (const Numbered& one : run) remove_number(one);
      run.clear();
    };
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Numbered found = number_at_start(i);
      if (found.end == 0) continue;
      const bool grows = !run.empty() && found.number > run.back().number &&
                         found.number - run.back().number == i - run.back().line;
      if (!grows) settle();
      run.push_back(found);
    }
    settle();
    std::erase_if(lines_, [](const TextLine& line) { return line.removed; });
  }

  /// Whether the lines were wrapped: three tenths of them had no room for the next word, and most of those
  /// end inside a sentence. Numbers of sentences, verses or items stay.
  [[nodiscard]] bool is_wrapped(const std::vector<Numbered>& run) const {
    std::size_t all = 0, full = 0, inside = 0;
    std::uint32_t width = 0;
    for (std::size_t i = run.front().line; i <= run.back().line; ++i)
      width = std::max(width, text_columns(i));
    if (width < kMinNumberedColumns || width > kMaxColumns) return false;
    for (std::size_t i = run.front().line; i <= run.back().line; ++i) {
      const std::uint32_t width_of_text = text_columns(i);
      if (width_of_text == 0) continue;
      ++all;
      if (width_of_text * 10 < width * 8) continue;
      ++full;
      inside += lines_[i].ends_sentence ? 0 : 1;
    }
    return full * 10 >= all * 3 && inside * 2 >= full;
  }

  /// Columns of a line without its number.
  [[nodiscard]] std::uint32_t text_columns(std::size_t i) const {
    const Numbered number = number_at_start(i);
    if (number.end == 0) return columns(lines_[i]);
    return static_cast<std::uint32_t>(
        count_code_points(text_.substr(number.end, lines_[i].end - number.end)));
  }

  void remove_number(const Numbered& one) {
    TextLine& line = lines_[one.line];
    edits_.push_back({line.begin, static_cast<std::uint32_t>(one.end), {}});
    if (one.end == line.end) {
      line.removed = true;
      if (one.line + 1 < lines_.size()) lines_[one.line + 1].breaks += line.breaks;
      return;
    }
    line.begin = static_cast<std::uint32_t>(one.end);
    line.indent = 0;
  }

  // Page numbers and running heads.

  struct Page {
    std::size_t line = 0;
    std::uint32_t number = 0;
    std::string head;  ///< the rest of the line
  };

  /// A number alone in its line, or before or after two blanks or more at the line's edge.
  [[nodiscard]] Page page_of(std::size_t i) const {
    constexpr std::string_view kAround = "-[]()|~*. ";
    Page page{i, kNoNumber, {}};
    if (!shows_number(letters(lines_[i]))) return page;
    const std::string line = with_plain_dashes(letters(lines_[i]), kMaxHead);
    const auto digit = [&](std::size_t at) { return line[at] >= '0' && line[at] <= '9'; };
    const auto take = [&](std::size_t from, std::size_t to, std::string head) {
      if (to - from == 0 || to - from > 4) return;
      page.number = 0;
      for (std::size_t at = from; at < to; ++at)
        page.number = page.number * 10 + static_cast<std::uint32_t>(line[at] - '0');
      page.head = std::move(head);
    };
    const std::size_t first = line.find_first_not_of(kAround), last = line.find_last_not_of(kAround);
    if (first == std::string::npos || line.size() > kMaxHead) return page;
    std::size_t end = first;
    while (end <= last && digit(end)) ++end;
    if (end > last) {
      take(first, end, {});
      return page;
    }
    const auto gap = [&](std::size_t at) { return line[at] == '\t' || line.compare(at, 2, "  ") == 0; };
    if (end > first && gap(end)) {
      take(first, end, line.substr(line.find_first_not_of(" \t", end)));
      return page;
    }
    std::size_t begin = last + 1;
    while (begin > first && digit(begin - 1)) --begin;
    if (begin <= last && begin >= 2 && (line[begin - 1] == '\t' || gap(begin - 2)))
      take(begin, last + 1, line.substr(0, line.find_last_not_of(" \t", begin - 1) + 1));
    return page;
  }

  void remove_page_furniture() {
    std::vector<Page> pages;
    const auto settle = [&] {
      if (pages.size() >= kMinPages && divide_sentences(pages) && are_regular(pages)) remove_pages(pages);
      pages.clear();
    };
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      Page page = page_of(i);
      if (page.number == kNoNumber) continue;
      const bool next = !pages.empty() && page.number == pages.back().number + 1 &&
                        i - pages.back().line <= kMaxLinesOfPage;
      if (!next && !pages.empty() && i - pages.back().line <= kMaxLinesOfPage && pages.size() >= kMinPages)
        continue;
      if (!next) settle();
      pages.push_back(std::move(page));
    }
    settle();
    set_around_removed();
  }

  /// Whether at least a third of the pages end inside a sentence: chapter numbers do not.
  [[nodiscard]] bool divide_sentences(const std::vector<Page>& pages) const {
    std::size_t inside = 0;
    for (const Page& page : pages)
      if (page.line > 0 && !lines_[page.line - 1].ends_sentence) ++inside;
    return inside * 3 >= pages.size();
  }

  /// Whether two thirds of the pages are about as long as the median one, and that is long enough for a page;
  /// numbered sections and notes are not.
  [[nodiscard]] bool are_regular(const std::vector<Page>& pages) const {
    std::vector<std::uint32_t> lengths;
    for (std::size_t i = 1; i < pages.size(); ++i)
      lengths.push_back(lines_[pages[i].line].begin - lines_[pages[i - 1].line].begin);
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    const std::uint64_t median = *middle;
    if (median < kMinPageBytes) return false;
    const auto regular = std::ranges::count_if(lengths, [&](std::uint64_t length) {
      return length * 10 >= median * 6 && length * 10 <= median * 15;
    });
    return static_cast<std::size_t>(regular) * 3 >= lengths.size() * 2;
  }

  void remove_pages(const std::vector<Page>& pages) {
    std::unordered_map<std::string, std::size_t> heads, above, below;
    const auto neighbour = [&](const Page& page, std::ptrdiff_t step) {
      const std::size_t i = page.line + static_cast<std::size_t>(step);
      return i < lines_.size() ? letters(lines_[i]) : std::string_view();
    };
    for (const Page& page : pages) {
      ++heads[page.head];
      ++above[std::string(neighbour(page, -1))];
      ++below[std::string(neighbour(page, 1))];
    }
    for (const Page& page : pages) {
      if (!page.head.empty() && heads[page.head] < 2) continue;
      lines_[page.line].removed = true;
      if (above[std::string(neighbour(page, -1))] > 1 && page.line > 0) lines_[page.line - 1].removed = true;
      if (below[std::string(neighbour(page, 1))] > 1 && page.line + 1 < lines_.size())
        lines_[page.line + 1].removed = true;
    }
  }

  /// Joins what the removed lines divide.
  void set_around_removed() {
    if (std::ranges::none_of(lines_, &TextLine::removed)) return;
    std::vector<TextLine> kept;
    bool gap = false;
    for (TextLine& line : lines_) {
      if (line.removed) {
        gap = true;
        continue;
      }
      if (gap && kept.empty()) {
        edits_.push_back({0, line.begin, {}});
      } else if (gap) {
        const TextLine& before = kept.back();
        const bool ends = before.ends_sentence && columns(before) < kMaxColumns &&
                          !is_full(columns(before), line, widest_near(kept));
        set_between(before, line, ends ? "\n\n" : "\n");
        line.breaks = ends ? 2 : 1;
        line.indent = 0;
      }
      gap = false;
      kept.push_back(line);
    }
    if (gap && !kept.empty())
      edits_.push_back({kept.back().end, static_cast<std::uint32_t>(text_.size()), {}});
    lines_ = std::move(kept);
  }

  [[nodiscard]] std::uint32_t widest_near(const std::vector<TextLine>& lines) const {
    constexpr std::size_t kNear = 40;
    std::uint32_t widest = 0;
    for (std::size_t i = lines.size(); i-- > 0 && lines.size() - i <= kNear;)
      widest = std::max(widest, columns(lines[i]));
    return widest;
  }

  /// Whether the next line's first word did not fit into a line of so many columns.
  [[nodiscard]] bool is_full(std::size_t columns_of_line, const TextLine& next, std::uint32_t width) const {
    std::size_t with_word = columns_of_line + 1;
    const std::string_view rest = letters(next);
    for (std::size_t at = 0; with_word * 10 < std::size_t{width} * 9; ++with_word) {
      if (at == rest.size() || skip_line_space(rest, at) != at) return false;
      static_cast<void>(next_code_point(rest, at));
    }
    return true;
  }

  // Blank lines between all lines.

  void join_spaced_lines() {
    for (std::size_t begin = 0, end = 0; begin < lines_.size(); begin = end) {
      end = begin + 1;
      if (end == lines_.size() || lines_[end].breaks == 1 || !is_narrow(lines_[begin])) continue;
      while (end < lines_.size() && lines_[end].breaks > 1 && is_narrow(lines_[end])) ++end;
      // A line directly before another one is not set apart.
      if (end < lines_.size() && lines_[end].breaks == 1) {
        join_run(begin, end - 1);
      } else {
        join_run(begin, end);
      }
    }
  }

  /// Whether a quarter of the lines [begin, end), but the last, have three blanks in a row, or a tab, inside.
  [[nodiscard]] bool is_table(std::size_t begin, std::size_t end) const {
    const auto rows = std::count_if(lines_.begin() + static_cast<std::ptrdiff_t>(begin),
                                    lines_.begin() + static_cast<std::ptrdiff_t>(end - 1), [&](auto& line) {
                                      const std::string_view text = letters(line);
                                      return text.find("   ") != text.npos || text.find('\t') != text.npos;
                                    });
    return static_cast<std::size_t>(rows) * 4 >= end - begin - 1;
  }

  /// Lines [begin, end), with blank lines between each two.
  void join_run(std::size_t begin, std::size_t end) {
    if (end < begin + kMinSpacedLines) return;
    std::vector<std::uint32_t> widths;
    std::uint32_t least = lines_[begin + 1].breaks;
    for (std::size_t i = begin; i < end; ++i) {
      widths.push_back(columns(lines_[i]));
      if (i > begin) least = std::min(least, lines_[i].breaks);
    }
    std::vector<std::uint32_t> ascending = widths;
    const auto high = ascending.begin() + static_cast<std::ptrdiff_t>(widths.size() * 9 / 10);
    std::ranges::nth_element(ascending, high);
    const std::uint32_t width = *high;
    if (width < kMinColumns) return;
    const auto full_at = [&](std::size_t i) { return is_full(widths[i - begin], lines_[i + 1], width); };
    std::size_t full = 0, inside = 0, wider = 0;
    for (std::size_t i = begin; i + 1 < end; ++i) {
      wider += lines_[i + 1].breaks > least ? 1 : 0;
      if (lines_[i + 1].breaks > least || !full_at(i)) continue;
      ++full;
      inside += lines_[i].ends_sentence ? 0 : 1;
    }
    const std::size_t gaps = end - begin - 1;
    if (full * 10 < (gaps - wider) * 3 || inside * 2 < full || is_table(begin, end)) return;
    const bool set_off = wider * 33 >= gaps;
    for (std::size_t i = begin; i + 1 < end; ++i) {
      if (lines_[i + 1].breaks > least || !(set_off || full_at(i))) continue;
      set_between(lines_[i], lines_[i + 1], "\n");
    }
  }

  // Paragraphs that begin with an indent.

  void divide_at_indents() {
    if (lines_.empty()) return;
    std::uint32_t least = lines_[0].indent, most = least;
    for (const TextLine& line : lines_) {
      least = std::min(least, line.indent);
      most = std::max(most, line.indent);
    }
    if (most < 2) return;
    const std::uint32_t from = most == least ? least : least + 2;
    std::size_t indents = 0, after_ends = 0;
    const auto is_candidate = [&](std::size_t i) {
      return lines_[i].breaks == 1 && lines_[i].indent >= from;
    };
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (!is_candidate(i)) continue;
      ++indents;
      after_ends += lines_[i - 1].ends_sentence ? 1 : 0;
    }
    if (indents < kMinIndents || after_ends * 10 < indents * 7) return;
    const bool all = after_ends * 20 >= indents * 17;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (is_candidate(i) &&
          (all || lines_[i - 1].ends_sentence || lines_[i - 1].indent + 2 <= lines_[i].indent ||
           lines_[i].indent + 2 <= lines_[i - 1].indent))
        set_between(lines_[i - 1], lines_[i], "\n\n");
    }
  }

  std::string_view text_;
  std::vector<TextLine> lines_;
  std::vector<ArrivalEdit>& edits_;
};

}  // namespace

void find_line_layout(std::string_view utf8, std::vector<ArrivalEdit>& edits) {
  if (lines_show_layout(utf8)) LineLayout(utf8, edits).run();
}

}  // namespace akin
