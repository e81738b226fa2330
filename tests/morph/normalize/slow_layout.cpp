#include "tests/morph/normalize/slow_layout.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "morph/sentences/boundary.h"
#include "tests/morph/words/slow_units.h"

namespace akin::slow {

bool one_of(char32_t c, std::u32string_view set) { return set.find(c) != std::u32string_view::npos; }
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
    quotations();
    line_numbers();
    pages();
    paragraphs();
  }

 private:
  [[nodiscard]] View letters(const Line& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }

  /// How many characters at a line's start are marks of quotation and the blanks after them.
  [[nodiscard]] std::size_t quotation(std::size_t i) const {
    const View all = letters(lines_[i]);
    std::size_t past = 0;
    while (past < all.size() && all[past] == U'>') {
      ++past;
      if (past < all.size() && all[past] == U' ') ++past;
    }
    return past;
  }

  void quotations() {
    std::vector<Line> kept;
    std::size_t more = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool above = i > 0 && lines_[i].breaks == 1 && quotation(i - 1) > 0;
      const bool below = i + 1 < lines_.size() && lines_[i + 1].breaks == 1 && quotation(i + 1) > 0;
      Line line = lines_[i];
      line.breaks += more;
      more = 0;
      if (const std::size_t gone = quotation(i); gone > 0 && (above || below)) {
        edits_.push_back({line.begin, line.begin + gone, {}});
        if (gone == line.columns) {
          more = line.breaks;
          continue;
        }
        const std::size_t begin = line.begin;
        line.begin += gone;
        while (is_space_in_line(text_[line.begin])) ++line.begin;
        line.indent = line.begin - begin - gone;
        line.columns = line.end - line.begin;
        line.first_word = word_length(letters(line));
      }
      kept.push_back(line);
    }
    lines_ = kept;
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
    return width >= 30 && width <= 250 && wide * 7 >= rows.size() && inside * 2 >= wide;
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
    lone_numbers(gone);
    std::vector<Line> kept;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (gone.contains(i)) continue;
      Line line = lines_[i];
      const bool after_gap = i > 0 && gone.contains(i - 1);
      if (after_gap && kept.empty()) {
        edits_.push_back({0, line.begin, {}});
      } else if (after_gap) {
        const Line& before = kept.back();
        const std::size_t width = std::min<std::size_t>(line.columns, 250);
        const bool ends = before.ends ? !full(before, line, width) : before.columns < 30;
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

  void lone_numbers(std::set<std::size_t>& gone) const {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (const auto here = page(i); here && here->head.empty() && here->number < 1000) numbers.push_back(i);
    for (const std::size_t i : numbers) {
      const bool alone = std::ranges::none_of(numbers, [&](std::size_t other) {
        const auto [from, to] = std::minmax(lines_[i].begin, lines_[other].begin);
        return other != i && to_utf8(text_.substr(from, to - from)).size() < 400;
      });
      bool beside_text = false;
      for (std::size_t near = i < 2 ? 0 : i - 2; near <= i + 2 && near < lines_.size(); ++near)
        beside_text = beside_text || (near != i && lines_[near].columns >= 30);
      if (alone && beside_text && i > 0 && i + 1 < lines_.size()) gone.insert(i);
    }
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
      if (!one.head.empty() || one.number > 999) gone.insert(one.line);
      if (one.line > 0 && above[at(one.line - 1)] > 1) gone.insert(one.line - 1);
      if (one.line + 1 < lines_.size() && below[at(one.line + 1)] > 1) gone.insert(one.line + 1);
    }
  }

  /// The lines near the break before line i, which are narrow and set apart if `set_apart`.
  [[nodiscard]] std::pair<std::size_t, std::size_t> near(std::size_t i, bool set_apart) const {
    const auto goes_on = [&](std::size_t k) {
      return !set_apart || (lines_[k].breaks > 1 && lines_[k].columns <= 250);
    };
    std::size_t begin = i - 1, end = i + 1;
    while (begin > 0 && begin + 20 > i && goes_on(begin)) --begin;
    while (end < lines_.size() && end < i + 20 && goes_on(end)) ++end;
    return {begin, end};
  }

  void paragraphs() {
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (ends_long_word(lines_[i - 1]) && !one_of(text_[lines_[i].begin], U")]},;:%/")) continue;
      const std::size_t end = lines_[i - 1].end;
      if (lines_[i].breaks > 1 && (verses_apart(i) || joins(i)))
        edits_.push_back({end, lines_[i].begin, U"\n"});
      if (lines_[i].breaks == 1 && divides(i)) edits_.push_back({end, end, U"\n"});
    }
  }

  [[nodiscard]] bool ends_long_word(const Line& line) const {
    View all = letters(line);
    while (!all.empty() && is_double_quote(all.back())) all.remove_suffix(1);
    return all.size() > 6 && all.back() == U'.' &&
           std::ranges::all_of(all.substr(all.size() - 7, 6), is_letter);
  }

  [[nodiscard]] bool hyphenated(const Line& line) const {
    return one_of(letters(line).back(), U"-\u2010\u2011\u00ad");
  }

  [[nodiscard]] bool verses(std::size_t i) const {
    const auto is_short = [&](std::size_t k) {
      return lines_[k].columns < 55 && !one_of(text_[lines_[k].begin], U"0123456789");
    };
    if (lines_[i - 1].ends || hyphenated(lines_[i - 1]) || !is_short(i) || !is_short(i - 1)) return false;
    if (i > 1 && !lines_[i - 2].ends && !is_short(i - 2)) return false;
    for (std::size_t begin = i < 3 ? 0 : i - 3; begin < i && begin + 4 <= lines_.size(); ++begin) {
      bool all_short = true;
      int open = 0;
      for (std::size_t k = begin; k < begin + 4; ++k) {
        all_short = all_short && is_short(k);
        open += !lines_[k].ends && std::ranges::any_of(letters(lines_[k]), is_letter) ? 1 : 0;
      }
      if (all_short && open >= 2) return true;
    }
    return false;
  }

  [[nodiscard]] bool verses_apart(std::size_t i) const {
    const bool apart_before = i == 1 || lines_[i - 1].breaks > 1;
    const bool apart_after = i + 1 == lines_.size() || lines_[i + 1].breaks > 1;
    return apart_before && apart_after && verses(i);
  }

  [[nodiscard]] bool joins(std::size_t i) const {
    if (lines_[i].columns > 250 || lines_[i - 1].columns > 250) return false;
    const auto [begin, end] = near(i, true);
    if (end - begin < 10) return false;
    std::vector<std::size_t> widths;
    std::size_t least = lines_[i].breaks;
    for (std::size_t k = begin; k < end; ++k) {
      widths.push_back(lines_[k].columns);
      if (k > begin) least = std::min(least, lines_[k].breaks);
    }
    std::ranges::sort(widths, std::greater());
    const std::size_t width = widths[1];
    std::size_t single = 0, wide = 0, inside = 0, tables = 0;
    for (std::size_t k = begin + 1; k < end; ++k) {
      tables += lines_[k - 1].table ? 1 : 0;
      if (lines_[k].breaks != least) continue;
      ++single;
      if (!full(lines_[k - 1], lines_[k], width)) continue;
      ++wide;
      inside += lines_[k - 1].ends ? 0 : 1;
    }
    const std::size_t gaps = end - begin - 1;
    if (lines_[i].breaks != least || width < 55 || wide * 7 < single || inside * 2 < wide ||
        tables * 4 >= gaps)
      return false;
    return single < gaps || full(lines_[i - 1], lines_[i], width);
  }

  [[nodiscard]] bool set_by_paragraphs(std::size_t i, std::size_t begin, std::size_t end) const {
    std::vector<std::size_t> widths;
    for (std::size_t k = begin; k < end; ++k) widths.push_back(std::min<std::size_t>(lines_[k].columns, 250));
    std::ranges::sort(widths, std::greater());
    const std::size_t width = widths.size() < 3 ? 0 : widths[2];
    std::size_t all = 0, sure = 0, inside = 0;
    for (std::size_t k = std::max<std::size_t>(begin, 1); k < end; ++k) {
      if (lines_[k].breaks != 1) continue;
      ++all;
      if (lines_[k].columns > 250 || lines_[k - 1].columns > 250) {
        ++sure;
      } else if (!lines_[k - 1].ends && full(lines_[k - 1], lines_[k], width)) {
        ++inside;
      }
    }
    return !full(lines_[i - 1], lines_[i], width) && (all > 4 || sure >= 2) && inside * 2 <= all;
  }

  [[nodiscard]] bool divides(std::size_t i) const {
    if (hyphenated(lines_[i - 1])) return false;
    if (lines_[i].columns > 250 || lines_[i - 1].columns > 250) return true;
    if (verses(i)) return false;
    const auto [begin, end] = near(i, false);
    std::size_t width = 0, least = lines_[i].indent;
    for (std::size_t k = begin; k < end; ++k) {
      width = std::max(width, std::min<std::size_t>(lines_[k].columns, 250));
      if (k > 0) least = std::min(least, lines_[k].indent);
    }
    const bool full_before = full(lines_[i - 1], lines_[i], width);
    // The share of the other breaks that come after an end, for indents from `depth` on.
    const auto share = [&, begin = begin, end = end](std::size_t depth) {
      std::size_t all = 0, after_end = 0;
      for (std::size_t k = std::max<std::size_t>(begin, 1); k < end; ++k) {
        if (k == i || lines_[k].breaks != 1 || lines_[k].indent < depth) continue;
        ++all;
        after_end += lines_[k - 1].ends ? 1 : 0;
      }
      return all < 2 ? -1.0 : static_cast<double>(after_end) / static_cast<double>(all);
    };
    if (width >= 80 && set_by_paragraphs(i, begin, end)) return true;
    if (width < 55 || lines_[i].indent < least + 2) return false;
    const double ends = share(least + 2);
    return (ends >= 0.3 && !full_before) || ends >= 0.9 ||
           (ends >= 0.7 && (lines_[i - 1].ends || lines_[i].indent >= lines_[i - 1].indent + 2));
  }

  View text_;
  std::vector<Line> lines_;
  Edits& edits_;
};

}  // namespace

void undo_layout(std::u32string_view text, Edits& edits) { Layout(text, edits).run(); }

}  // namespace akin::slow
