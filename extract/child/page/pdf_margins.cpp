#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/utf8.h"
#include "extract/child/page/pdf_page.h"

namespace akin::extract {

namespace {

/// A number that a line consists of, or that a line begins with in smaller digits than its own.
struct Number {
  std::size_t line = 0;
  std::uint32_t value = 0;
  std::size_t digits = 0;
  bool alone = false;
};

std::optional<Number> number_of(const PdfLine& line, std::size_t index) {
  constexpr std::size_t kMostDigits = 5;
  constexpr double kSmaller = 0.9;
  const std::size_t end = std::min(line.text.find(' '), line.text.size());
  const bool alone = end == line.text.size();
  if (end == 0 || end > kMostDigits) return std::nullopt;
  if (!alone && line.first_size > kSmaller * line.size) return std::nullopt;
  Number number{index, 0, end, alone};
  const auto [stop, error] = std::from_chars(line.text.data(), line.text.data() + end, number.value);
  if (error != std::errc() || stop != line.text.data() + end) return std::nullopt;
  return number;
}

bool is_beside(const PdfLine& number, const PdfLine& text) {
  return std::min(number.bottom, text.bottom) - std::max(number.top, text.top) >
         (number.bottom - number.top) / 2;
}

/// Numbers below one another. Those in a margin begin or end at one place, or are close to lines that begin
/// at one.
class NumberColumn {
 public:
  explicit NumberColumn(const PdfPage& page) : page_(page) {}

  [[nodiscard]] bool takes(const Number& number) const {
    const PdfLine &line = line_of(number), &first = line_of(numbers_.front());
    const double left = std::abs(line.left - first.left),
                 right = std::abs(right_of(number) - right_of(numbers_.front()));
    return std::min(left, right) < first.size / 4;
  }
  void add(const Number& number) { numbers_.push_back(number); }

  /// Whether they count the lines of the text beside them, each or each fifth or so, and nothing else is in
  /// their column.
  [[nodiscard]] bool counts_lines() {
    if (numbers_.size() < 2) return false;
    std::ranges::sort(numbers_, {}, [&](const Number& number) { return line_of(number).top; });
    const std::uint32_t first = numbers_[0].value, step = numbers_[1].value - first;
    constexpr std::array<std::uint32_t, 4> kSteps = {1, 2, 5, 10};
    if (std::ranges::find(kSteps, step) == kSteps.end()) return false;
    for (std::size_t i = 1; i < numbers_.size(); ++i)
      if (numbers_[i].value - numbers_[i - 1].value != step) return false;
    const bool in_margin =
        std::ranges::all_of(numbers_, [&](const Number& one) { return is_in_margin(one); });
    const std::size_t rows = text_rows(), counted = (numbers_.size() - 1) * step;
    constexpr std::size_t kMany = 4;
    const bool many = numbers_.size() >= kMany && rows >= counted;
    return in_margin && (many || (step > 2 && first % step == 0 && rows == counted));
  }

  [[nodiscard]] const std::vector<Number>& numbers() const { return numbers_; }

 private:
  [[nodiscard]] const PdfLine& line_of(const Number& number) const { return page_.lines[number.line]; }
  [[nodiscard]] double right_of(const Number& number) const {
    return number.alone ? line_of(number).right : line_of(number).second_left;
  }
  [[nodiscard]] bool is_text(const PdfLine& line) const {
    const auto number = number_of(line, 0);
    return !number || !number->alone;
  }

  /// Whether text is on one side of a number, and none on the other.
  [[nodiscard]] bool is_in_margin(const Number& number) const {
    const PdfLine& of = line_of(number);
    bool left = false, right = !number.alone;
    for (const PdfLine& line : page_.lines) {
      if (&line == &of || !is_text(line) || !is_beside(of, line)) continue;
      left = left || line.left < of.left;
      right = right || line.left > of.left;
    }
    return left != right;
  }

  /// Rows of text below the first number, down to the last.
  [[nodiscard]] std::size_t text_rows() const {
    const PdfLine &first = line_of(numbers_.front()), &last = line_of(numbers_.back());
    std::vector<double> bases;
    for (const PdfLine& line : page_.lines) {
      const bool between = line.bottom > first.bottom + first.size / 2 && line.top < last.bottom;
      if (between && is_text(line)) bases.push_back(line.bottom);
    }
    std::ranges::sort(bases);
    std::size_t rows = bases.empty() ? 0 : 1;
    for (std::size_t i = 1; i < bases.size(); ++i) rows += bases[i] - bases[i - 1] > first.size / 2 ? 1 : 0;
    return rows;
  }

  const PdfPage& page_;
  std::vector<Number> numbers_;
};

/// The line that a large initial begins: the uppermost of those that begin beside it.
PdfLine* line_of_initial(PdfPage& page, const PdfLine& initial) {
  PdfLine* found = nullptr;
  for (PdfLine& line : page.lines) {
    const bool beside = line.bottom > initial.top && line.bottom < initial.bottom + line.size / 2 &&
                        std::abs(line.left - initial.right) < 2 * line.size;
    if (beside && line.size < initial.size / 2 && (found == nullptr || line.top < found->top)) found = &line;
  }
  return found;
}

}  // namespace

void remove_line_numbers(PdfPage& page) {
  std::vector<NumberColumn> columns;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::optional<Number> number = number_of(page.lines[i], i);
    if (!number) continue;
    const auto of =
        std::ranges::find_if(columns, [&](const NumberColumn& one) { return one.takes(*number); });
    NumberColumn& column = of == columns.end() ? columns.emplace_back(page) : *of;
    column.add(*number);
  }
  std::vector<Number> counting;
  for (NumberColumn& column : columns)
    if (column.counts_lines())
      counting.insert(counting.end(), column.numbers().begin(), column.numbers().end());
  for (const Number& number : counting) {
    PdfLine& line = page.lines[number.line];
    line.text.erase(0, number.alone ? line.text.size() : number.digits + 1);
    if (!number.alone) line.left = line.second_left;
  }
  std::erase_if(page.lines, [](const PdfLine& line) { return line.text.empty(); });
}

void join_initials(PdfPage& page) {
  for (std::size_t i = 0; i < page.lines.size();) {
    const PdfLine initial = page.lines[i];
    PdfLine* line = count_code_points(initial.text) == 1 && !number_of(initial, i)
                        ? line_of_initial(page, initial)
                        : nullptr;
    if (line == nullptr) {
      ++i;
      continue;
    }
    line->text = initial.text + line->text;
    for (PdfLine& other : page.lines)
      if (is_beside(other, initial) && std::abs(other.left - line->left) < line->size && &other != line)
        other.left = initial.left;
    line->left = initial.left;
    page.lines.erase(page.lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace akin::extract
