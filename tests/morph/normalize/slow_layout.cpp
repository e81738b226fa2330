#include "tests/morph/normalize/slow_layout.h"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "morph/sentences/boundary.h"

namespace akin::slow {

bool one_of(char32_t c, std::u32string_view set) { return set.find(c) != std::u32string_view::npos; }
bool is_quotation(char32_t c) {
  return one_of(c, U"\"«»“”„‟‹›\u301d\u301e\u301f\uff02\u05f4\u02ba\u02ee") ||
         one_of(c,
                U"'`"
                U"´\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u07f4\u07f5‘’‚‛′‵\ua78b"
                U"\ua78c\uff07");
}

namespace {

using Text = std::u32string;
using View = std::u32string_view;

bool is_space_in_line(char32_t c) {
  return one_of(c, U" \t\v\f\r\u00a0\u202f\u3000") || (c >= 0x2000 && c <= 0x200a);
}
// Lines.

struct Line {
  std::size_t begin = 0, end = 0;
  std::size_t breaks = 0, columns = 0, indent = 0, first_word = 0;
  bool ends = false, table = false;
};

std::size_t word_length(View line) {
  std::size_t length = 0;
  while (length < line.size() && !is_space_in_line(line[length])) ++length;
  return length;
}

std::vector<Line> lines_of(View text) {
  std::vector<Line> lines;
  std::size_t breaks = 0, start = 0;
  while (start < text.size()) {
    const std::size_t past = std::min(text.find(U'\n', start), text.size());
    Line line;
    line.begin = start;
    line.end = past;
    for (; line.begin < past && is_space_in_line(text[line.begin]); ++line.begin) {
      const char32_t c = text[line.begin];
      ++line.indent;
      if (c == U'\t') line.indent = (line.indent + 7) / 8 * 8;
      if (c == U'\f' || c == U'\r') line.indent = 0;
    }
    if (line.begin < past) {
      while (is_space_in_line(text[line.end - 1])) --line.end;
      const View letters = text.substr(line.begin, line.end - line.begin);
      line.breaks = breaks;
      line.columns = letters.size();
      line.first_word = word_length(letters);
      line.table = letters.find(U"   ") != View::npos || letters.find(U'\t') != View::npos;
      std::size_t last = letters.size();
      while (last > 0 && (is_quotation(letters[last - 1]) || one_of(letters[last - 1], U")]"))) --last;
      line.ends = last > 0 && (is_terminator(letters[last - 1]) || one_of(letters[last - 1], U":…"));
      lines.push_back(line);
      breaks = 0;
    }
    ++breaks;
    start = past + 1;
  }
  return lines;
}

bool full(const Line& line, const Line& next, std::size_t width) {
  return 10 * (line.columns + 1 + next.first_word) >= 9 * width;
}

class Layout {
 public:
  Layout(View text, Edits& edits) : text_(text), lines_(lines_of(text)), edits_(edits) {}

  void run() {
    line_numbers();
    pages();
    spaced_lines();
    indents();
  }

 private:
  [[nodiscard]] View letters(const Line& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }

  /// The number that begins a line, and the length of it and the white space after it.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> number(const Line& line) const {
    const View all = letters(line);
    std::size_t digits = 0, value = 0;
    while (digits < all.size() && digits < 5 && one_of(all[digits], U"0123456789"))
      value = value * 10 + (all[digits++] - U'0');
    std::size_t past = digits;
    while (past < all.size() && is_space_in_line(all[past])) ++past;
    if (digits == 0 || (past == digits && digits < all.size())) return std::nullopt;
    return std::pair(value, past);
  }

  void line_numbers() {
    std::vector<std::vector<std::size_t>> runs;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto here = number(lines_[i]);
      if (!here) continue;
      const bool goes_on =
          !runs.empty() &&
          number(lines_[runs.back().back()])->first + (i - runs.back().back()) == here->first;
      if (!goes_on) runs.emplace_back();
      runs.back().push_back(i);
    }
    std::set<std::size_t> emptied;
    std::vector<Line> changed = lines_;
    for (const auto& run : runs) {
      if (run.size() < 4 || run.back() - run.front() < 9 || !wrapped(run.front(), run.back())) continue;
      for (const std::size_t i : run) {
        const std::size_t gone = number(lines_[i])->second;
        edits_.push_back({lines_[i].begin, lines_[i].begin + gone, {}});
        if (gone == lines_[i].columns) {
          emptied.insert(i);
          continue;
        }
        changed[i].begin += gone;
        changed[i].columns -= gone;
        changed[i].indent = 0;
        changed[i].first_word = word_length(letters(changed[i]));
      }
    }
    lines_.clear();
    std::size_t more = 0;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      changed[i].breaks += more;
      more = emptied.contains(i) ? changed[i].breaks : 0;
      if (!emptied.contains(i)) lines_.push_back(changed[i]);
    }
  }

  [[nodiscard]] bool wrapped(std::size_t first, std::size_t last) const {
    std::vector<std::pair<std::size_t, bool>> rows;
    std::size_t width = 0;
    for (std::size_t i = first; i <= last; ++i) {
      const std::size_t columns = lines_[i].columns - (number(lines_[i]) ? number(lines_[i])->second : 0);
      width = std::max(width, columns);
      if (columns > 0) rows.emplace_back(columns, lines_[i].ends);
    }
    std::size_t wide = 0, inside = 0;
    for (const auto& [columns, ends] : rows) {
      if (columns * 10 < width * 8) continue;
      ++wide;
      inside += ends ? 0 : 1;
    }
    return width >= 30 && width <= 250 && wide * 10 >= rows.size() * 3 && inside * 2 >= wide;
  }

  struct Page {
    std::size_t line = 0, number = 0;
    std::string head;
  };

  /// By regular expressions.
  [[nodiscard]] std::optional<Page> page(std::size_t i) const {
    Text line(letters(lines_[i]));
    for (char32_t& c : line) c = c == U'—' || c == U'–' ? U'-' : c;
    const std::string bytes = to_utf8(line);
    if (bytes.size() > 200) return std::nullopt;
    static const std::regex alone(R"([-\[\]()|~*. ]*([0-9]{1,4})[-\[\]()|~*. ]*)");
    static const std::regex any_alone(R"([-\[\]()|~*. ]*([0-9]+)[-\[\]()|~*. ]*)");
    static const std::regex first(R"([-\[\]()|~*. ]*([0-9]+)(\t|  )[ \t]*((?:[^ \t])[^]*))");
    static const std::regex last(R"(([^]*?)(?:\t|  )[ \t]*([0-9]{1,4})[-\[\]()|~*. ]*)");
    std::smatch found;
    const auto value = [&](std::size_t group) {
      return static_cast<std::size_t>(std::stoul(found[group].str()));
    };
    if (std::regex_match(bytes, found, alone)) return Page{i, value(1), {}};
    if (std::regex_match(bytes, any_alone)) return std::nullopt;
    if (std::regex_match(bytes, found, first)) {
      if (found[1].length() > 4) return std::nullopt;
      return Page{i, value(1), found[3].str()};
    }
    if (std::regex_match(bytes, found, last)) {
      const std::string head = found[1].str();
      return Page{i, value(2), head.substr(0, head.find_last_not_of(" \t") + 1)};
    }
    return std::nullopt;
  }

  void pages() {
    std::vector<std::vector<Page>> runs;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      auto here = page(i);
      if (!here) continue;
      const bool near = !runs.empty() && i - runs.back().back().line <= 200;
      const bool next = near && runs.back().back().number + 1 == here->number;
      if (!next && near && runs.back().size() >= 3) continue;
      if (!next) runs.emplace_back();
      runs.back().push_back(*here);
    }
    std::set<std::size_t> gone;
    for (const auto& run : runs)
      if (run.size() >= 3 && inside_sentences(run) && regular(run)) remove(run, gone);
    std::vector<Line> kept;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (gone.contains(i)) continue;
      Line line = lines_[i];
      const bool after_gap = i > 0 && gone.contains(i - 1);
      if (after_gap && kept.empty()) {
        edits_.push_back({0, line.begin, {}});
      } else if (after_gap) {
        std::size_t width = 0;
        for (std::size_t back = 1; back <= 40 && back <= kept.size(); ++back)
          width = std::max(width, kept.end()[-static_cast<std::ptrdiff_t>(back)].columns);
        const Line& before = kept.back();
        const bool ends = before.ends && before.columns < 250 && !full(before, line, width);
        edits_.push_back({before.end, line.begin, ends ? U"\n\n" : U"\n"});
        line.breaks = ends ? 2 : 1;
        line.indent = 0;
      }
      kept.push_back(line);
    }
    if (!lines_.empty() && gone.contains(lines_.size() - 1) && !kept.empty())
      edits_.push_back({kept.back().end, text_.size(), {}});
    lines_ = kept;
  }

  [[nodiscard]] bool inside_sentences(const std::vector<Page>& run) const {
    const auto inside = std::ranges::count_if(
        run, [&](const Page& one) { return one.line > 0 && !lines_[one.line - 1].ends; });
    return static_cast<std::size_t>(inside) * 3 >= run.size();
  }

  [[nodiscard]] bool regular(const std::vector<Page>& run) const {
    std::vector<double> lengths;
    for (std::size_t i = 1; i < run.size(); ++i) {
      const std::size_t from = lines_[run[i - 1].line].begin, to = lines_[run[i].line].begin;
      lengths.push_back(static_cast<double>(to_utf8(text_.substr(from, to - from)).size()));
    }
    std::vector<double> sorted = lengths;
    std::ranges::sort(sorted);
    const double median = sorted[sorted.size() / 2];
    if (median < 400) return false;
    const auto near = std::ranges::count_if(
        lengths, [&](double length) { return length * 10 >= median * 6 && length * 10 <= median * 15; });
    return static_cast<std::size_t>(near) * 3 >= lengths.size() * 2;
  }

  void remove(const std::vector<Page>& run, std::set<std::size_t>& gone) const {
    std::map<std::string, int> heads;
    std::map<Text, int> above, below;
    const auto at = [&](std::size_t line) {
      return line < lines_.size() ? Text(letters(lines_[line])) : Text();
    };
    for (const Page& one : run) {
      ++heads[one.head];
      ++above[one.line > 0 ? at(one.line - 1) : Text()];
      ++below[at(one.line + 1)];
    }
    for (const Page& one : run) {
      if (!one.head.empty() && heads[one.head] < 2) continue;
      gone.insert(one.line);
      if (one.line > 0 && above[at(one.line - 1)] > 1) gone.insert(one.line - 1);
      if (one.line + 1 < lines_.size() && below[at(one.line + 1)] > 1) gone.insert(one.line + 1);
    }
  }

  void spaced_lines() {
    std::size_t begin = 0;
    while (begin < lines_.size()) {
      std::size_t end = begin + 1;
      if (lines_[begin].columns <= 250) {
        while (end < lines_.size() && lines_[end].breaks > 1 && lines_[end].columns <= 250) ++end;
        join(begin, end < lines_.size() && lines_[end].breaks == 1 ? end - 1 : end);
      }
      begin = end;
    }
  }

  void join(std::size_t begin, std::size_t end) {
    if (end < begin + 10) return;
    const std::vector<Line> run(lines_.begin() + static_cast<std::ptrdiff_t>(begin),
                                lines_.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<std::size_t> widths;
    std::size_t least = run[1].breaks;
    for (std::size_t i = 0; i < run.size(); ++i) {
      widths.push_back(run[i].columns);
      if (i > 0) least = std::min(least, run[i].breaks);
    }
    std::ranges::sort(widths);
    const std::size_t width = widths[widths.size() * 9 / 10];
    std::size_t single = 0, wide = 0, inside = 0, tables = 0;
    const auto is_single = [&](std::size_t i) { return run[i + 1].breaks == least; };
    for (std::size_t i = 0; i + 1 < run.size(); ++i) {
      if (run[i].table) ++tables;
      if (!is_single(i)) continue;
      ++single;
      if (!full(run[i], run[i + 1], width)) continue;
      ++wide;
      if (!run[i].ends) ++inside;
    }
    const std::size_t gaps = run.size() - 1;
    if (width < 55 || wide * 10 < single * 3 || inside * 2 < wide || tables * 4 >= gaps) return;
    const bool paragraphs_set_off = (gaps - single) * 33 >= gaps;
    for (std::size_t i = 0; i + 1 < run.size(); ++i)
      if (is_single(i) && (paragraphs_set_off || full(run[i], run[i + 1], width)))
        edits_.push_back({run[i].end, run[i + 1].begin, U"\n"});
  }

  void indents() {
    std::set<std::size_t> depths;
    for (const Line& line : lines_) depths.insert(line.indent);
    if (depths.empty() || *depths.rbegin() < 2) return;
    const std::size_t from = depths.size() == 1 ? *depths.begin() : *depths.begin() + 2;
    std::vector<std::size_t> begins;
    std::size_t after_end = 0;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (lines_[i].breaks != 1 || lines_[i].indent < from) continue;
      begins.push_back(i);
      if (lines_[i - 1].ends) ++after_end;
    }
    if (begins.size() < 2 || after_end * 10 < begins.size() * 7) return;
    for (const std::size_t i : begins) {
      const std::size_t a = lines_[i - 1].indent, b = lines_[i].indent;
      const bool differs = std::max(a, b) - std::min(a, b) >= 2;
      if (after_end * 20 >= begins.size() * 17 || lines_[i - 1].ends || differs)
        edits_.push_back({lines_[i - 1].end, lines_[i].begin, U"\n\n"});
    }
  }

  View text_;
  std::vector<Line> lines_;
  Edits& edits_;
};

}  // namespace

void undo_layout(std::u32string_view text, Edits& edits) { Layout(text, edits).run(); }

}  // namespace akin::slow
