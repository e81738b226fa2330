#include "morph/normalize/line_layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/utf8.h"
#include "morph/normalize/paragraph_breaks.h"
#include "morph/normalize/text_line.h"

namespace akin {
namespace {

constexpr std::size_t kMinNumberedLines = 10;
constexpr std::size_t kMinNumbers = 4;
constexpr std::size_t kMinPages = 3;
constexpr std::uint64_t kMinPageBytes = 400;
constexpr std::size_t kMaxLinesOfPage = 200;
constexpr std::uint32_t kMinNumberedColumns = 30;
constexpr std::uint32_t kMostLoneNumber = 999;  // more are years
constexpr std::size_t kMaxHead = 200;           // bytes of a line with a page number

class LineLayout {
 public:
  LineLayout(std::string_view utf8, std::vector<ArrivalEdit>& edits)
      : text_(utf8), lines_(lines_of(utf8)), edits_(edits) {}

  void run() {
    remove_quote_marks();
    remove_line_numbers();
    remove_page_furniture();
    find_paragraph_breaks(text_, lines_, edits_);
  }

 private:
  static constexpr std::uint32_t kNoNumber = 0xffffffffU;

  [[nodiscard]] std::string_view letters(const TextLine& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }

  /// Adds an edit for all between two lines.
  void set_between(const TextLine& before, const TextLine& after, std::string_view by) {
    edits_.push_back({before.end, after.begin, by});
  }

  // E-mail.

  /// The byte after the marks of quotation that begin a line, and a blank after each.
  [[nodiscard]] std::uint32_t past_quote_marks(const TextLine& line) const {
    std::uint32_t at = line.begin;
    while (at < line.end && text_[at] == '>') at += at + 1 < line.end && text_[at + 1] == ' ' ? 2 : 1;
    return at;
  }

  /// Removes the marks of lines beside another such line.
  void remove_quote_marks() {
    if (std::ranges::none_of(lines_, &TextLine::is_quoted)) return;
    const auto is_quoted = [&](std::size_t i) { return i < lines_.size() && lines_[i].is_quoted; };
    const auto is_directly_before = [&](std::size_t i) {
      return i + 1 < lines_.size() && lines_[i + 1].breaks == 1;
    };
    std::vector<bool> removed(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i)
      removed[i] = is_quoted(i) && ((is_directly_before(i) && is_quoted(i + 1)) ||
                                    (i > 0 && is_directly_before(i - 1) && is_quoted(i - 1)));
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!removed[i]) continue;
      TextLine& line = lines_[i];
      line.start = past_quote_marks(line);
      remove_start(i, line.start);
      if (line.removed) continue;
      line.begin = static_cast<std::uint32_t>(skip_line_space(text_, line.start));
      line.indent = line.begin - line.start;
    }
    std::erase_if(lines_, &TextLine::removed);
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
        for (const Numbered& one : run) remove_start(one.line, one.end);
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
    std::erase_if(lines_, &TextLine::removed);
  }

  /// Whether the lines were wrapped: three tenths of them had no room for the next word, and most of those
  /// end inside a sentence. Numbers of sentences, verses or items stay.
  [[nodiscard]] bool is_wrapped(const std::vector<Numbered>& run) const {
    std::size_t all = 0, full = 0, inside = 0;
    std::uint32_t width = 0;
    for (std::size_t i = run.front().line; i <= run.back().line; ++i)
      width = std::max(width, text_columns(i));
    if (width < kMinNumberedColumns || width > kMostColumns) return false;
    for (std::size_t i = run.front().line; i <= run.back().line; ++i) {
      const std::uint32_t width_of_text = text_columns(i);
      if (width_of_text == 0) continue;
      ++all;
      if (width_of_text * 10 < width * 8) continue;
      ++full;
      inside += lines_[i].ends_sentence ? 0 : 1;
    }
    return full * 7 >= all && inside * 2 >= full;
  }

  /// Columns of a line without its number.
  [[nodiscard]] std::uint32_t text_columns(std::size_t i) const {
    const Numbered number = number_at_start(i);
    if (number.end == 0) return columns_of(text_, lines_[i]);
    return static_cast<std::uint32_t>(
        count_code_points(text_.substr(number.end, lines_[i].end - number.end)));
  }

  /// Removes what a line begins with, up to the byte `end`; the line too if nothing is left.
  void remove_start(std::size_t i, std::size_t end) {
    TextLine& line = lines_[i];
    edits_.push_back({line.begin, static_cast<std::uint32_t>(end), {}});
    if (end == line.end) {
      line.removed = true;
      if (i + 1 < lines_.size()) lines_[i + 1].breaks += line.breaks;
      return;
    }
    line.begin = static_cast<std::uint32_t>(end);
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
    std::vector<std::size_t> lone;
    const auto settle = [&] {
      if (pages.size() >= kMinPages && divide_sentences(pages) && are_regular(pages)) remove_pages(pages);
      pages.clear();
    };
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      Page page = page_of(i);
      if (page.number == kNoNumber) continue;
      if (is_lone(page)) lone.push_back(i);
      const bool next = !pages.empty() && page.number == pages.back().number + 1 &&
                        i - pages.back().line <= kMaxLinesOfPage;
      if (!next && !pages.empty() && i - pages.back().line <= kMaxLinesOfPage && pages.size() >= kMinPages)
        continue;
      if (!next) settle();
      pages.push_back(std::move(page));
    }
    settle();
    remove_lone_numbers(lone);
    set_around_removed();
  }

  static bool is_lone(const Page& page) { return page.head.empty() && page.number <= kMostLoneNumber; }

  /// Numbers of pages or chapters, which need no others: far from each other, between lines of text. What
  /// is farther away than kMinPageBytes decides nothing.
  void remove_lone_numbers(const std::vector<std::size_t>& lone) {
    const auto is_far = [&](std::size_t a, std::size_t b) {
      return lines_[b].begin - lines_[a].begin >= kMinPageBytes;
    };
    for (std::size_t k = 0; k < lone.size(); ++k) {
      const std::size_t i = lone[k];
      if (i == 0 || i + 1 == lines_.size()) continue;
      if ((k > 0 && !is_far(lone[k - 1], i)) || (k + 1 < lone.size() && !is_far(i, lone[k + 1]))) continue;
      for (std::size_t near = i - std::min<std::size_t>(i, 2); near < std::min(i + 3, lines_.size()); ++near)
        if (near != i && columns_of(text_, lines_[near]) >= kMinNumberedColumns) lines_[i].removed = true;
    }
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
      if (!is_lone(page)) lines_[page.line].removed = true;
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
        const std::uint32_t width = columns_of(text_, before);
        const std::uint32_t next = std::min(columns_of(text_, line), kMostColumns);
        const bool ends =
            before.ends_sentence ? !is_full(width, letters(line), next) : width < kMinNumberedColumns;
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

  std::string_view text_;
  std::vector<TextLine> lines_;
  std::vector<ArrivalEdit>& edits_;
};

}  // namespace

void find_line_layout(std::string_view utf8, std::vector<ArrivalEdit>& edits) {
  LineLayout(utf8, edits).run();
}

}  // namespace akin
