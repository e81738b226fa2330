#include "extract/child/page/pdf_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "base/ascii.h"
#include "base/utf8.h"

namespace akin::extract {

namespace {

/// Lines at each end of a page that may be running heads.
constexpr std::size_t kHeadLines = 2;
/// The share of a page's height, at each end, that they are in.
constexpr double kMargin = 0.12;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string without_numbers(std::string_view text) {
  std::string made;
  for (const std::string_view word : split(text, ' ')) {
    const bool roman = !word.empty() && word.find_first_not_of("ivxlcIVXLC") == std::string_view::npos;
    const bool number = !word.empty() && (roman || std::ranges::any_of(word, is_digit));
    made += number ? "#" : ascii_lower(word);
    made += ' ';
  }
  return made;
}

namespace {

/// "12", "- xii -", "3/20"; "page 12" is what other pages repeat.
bool is_page_number(std::string_view text) {
  bool number = false;
  const std::string same = without_numbers(text);
  for (const std::string_view word : split(same, ' ')) {
    if (word.find_first_not_of("-\u2013\u2014|./[]()#") != std::string_view::npos) return false;
    number = number || word == "#";
  }
  return number;
}

/// Indices of the lines nearest to one end of the page.
std::vector<std::size_t> lines_at_end(const PdfPage& page, bool top) {
  std::vector<std::size_t> order(page.lines.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return top ? page.lines[a].top < page.lines[b].top : page.lines[a].bottom > page.lines[b].bottom;
  });
  // Parts of one line, such as a title and a number at the other margin, count as one.
  std::vector<std::size_t> near;
  std::size_t rows = 0;
  double row = 0;
  for (const std::size_t i : order) {
    const PdfLine& line = page.lines[i];
    const double y = (line.top + line.bottom) / 2;
    if (top ? y > kMargin * page.height : y < (1 - kMargin) * page.height) break;
    if (rows == 0 || std::abs(y - row) > std::max(line.size, 1.0) / 2) {
      if (++rows > kHeadLines) break;
      row = y;
    }
    near.push_back(i);
  }
  return near;
}

using Counts = std::map<std::string, std::size_t>;

Counts count_heads(const std::vector<PdfPage>& pages, bool top) {
  Counts counts;
  for (const PdfPage& page : pages) {
    std::set<std::string> seen;
    for (const std::size_t i : lines_at_end(page, top)) seen.insert(without_numbers(page.lines[i].text));
    for (const std::string& head : seen) ++counts[head];
  }
  return counts;
}

bool is_same_row(const PdfLine& a, const PdfLine& b) {
  constexpr double kApart = 0.3;
  const double size = std::max(a.size, b.size);
  return std::abs(a.bottom - b.bottom) < kApart * size && std::abs(a.size - b.size) < kApart * size;
}

/// Whether the gap between two pieces of a row is one between words: a line above or below runs over it, as
/// none does over the gap between columns.
bool is_word_gap(const PdfPage& page, const PdfLine& left, const PdfLine& right) {
  constexpr double kNear = 2.2, kWidest = 8;
  const double size = left.size;
  if (right.left <= left.right || right.left - left.right > kWidest * size) return false;
  return std::ranges::any_of(page.lines, [&](const PdfLine& line) {
    const double distance = std::abs(line.bottom - left.bottom);
    return distance > size / 2 && distance < kNear * size && line.left < left.right - size &&
           line.right > right.left + size;
  });
}

}  // namespace

void join_rows(PdfPage& page) {
  std::vector<PdfLine>& lines = page.lines;
  std::vector<bool> joined(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (bool again = !joined[i]; again;) {
      again = false;
      for (std::size_t j = 0; j < lines.size() && !again; ++j) {
        if (j == i || joined[j] || !is_same_row(lines[i], lines[j]) || !is_word_gap(page, lines[i], lines[j]))
          continue;
        lines[i].text += " " + lines[j].text;
        lines[i].right = lines[j].right;
        joined[j] = again = true;
      }
    }
  }
  std::size_t at = 0;
  std::erase_if(lines, [&](const PdfLine&) { return joined[at++]; });
}

void remove_running_heads(std::vector<PdfPage>& pages) {
  if (pages.size() < 2) return;
  const std::size_t needed = std::min(kRepeatingPages, pages.size());
  for (const bool top : {true, false}) {
    const Counts counts = count_heads(pages, top);
    for (PdfPage& page : pages) {
      std::vector<bool> head(page.lines.size());
      for (const std::size_t i : lines_at_end(page, top)) {
        const std::string& text = page.lines[i].text;
        head[i] = counts.at(without_numbers(text)) >= needed || is_page_number(text);
      }
      std::size_t at = 0;
      std::erase_if(page.lines, [&](const PdfLine&) { return head[at++]; });
    }
  }
}

double body_size(const std::vector<PdfPage>& pages) {
  std::map<double, std::size_t> letters;  // by size, in tenths of a point
  for (const PdfPage& page : pages) {
    for (const PdfLine& line : page.lines) letters[std::round(line.size * 10) / 10] += line.text.size();
  }
  const auto most = std::ranges::max_element(letters, {}, [](const auto& one) { return one.second; });
  return most == letters.end() ? 0 : most->first;
}

}  // namespace akin::extract
