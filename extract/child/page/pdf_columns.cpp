// The order of a page of columns: each column from its top to its bottom.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "extract/child/page/pdf_page.h"

namespace akin::extract {

namespace {

using Lines = std::vector<const PdfLine*>;

constexpr std::size_t kFewestLines = 8;  // of a column
constexpr double kNarrowest = 0.2;       // columns of text, in page widths: cells of tables are narrower
constexpr double kNearEdge = 2;          // points

enum class Side : char { left, right, across };

/// `gutter`: where the lines of the right column begin.
Side side_of(const PdfLine& line, double gutter) {
  if (line.right <= gutter) return Side::left;
  return line.left >= gutter - kNearEdge ? Side::right : Side::across;
}

double median_width(const Lines& lines, double gutter, Side side) {
  std::vector<double> widths;
  for (const PdfLine* line : lines)
    if (side_of(*line, gutter) == side) widths.push_back(line->right - line->left);
  if (widths.size() < kFewestLines) return 0;
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
  std::ranges::nth_element(widths, middle);
  return *middle;
}

/// How often these lines go from one side to the other.
std::size_t changes_of(const Lines& lines, double gutter) {
  std::size_t changes = 0;
  Side last = Side::across;
  for (const PdfLine* line : lines) {
    const Side side = side_of(*line, gutter);
    if (side == Side::across) continue;
    changes += last != Side::across && side != last ? 1 : 0;
    last = side;
  }
  return changes;
}

/// Where a column begins that has another one on its left, both of text. Rows of a table, which are read from
/// side to side, change it too often.
std::optional<double> gutter_of(const Lines& lines, double page_width) {
  std::map<int, std::size_t> edges;  // lines by their left edges
  for (const PdfLine* line : lines) ++edges[static_cast<int>(line->left)];
  std::optional<double> best;
  std::size_t most = 0;
  for (const auto& [edge, count] : edges) {
    const auto next = edges.find(edge + 1);
    if (count + (next == edges.end() ? 0 : next->second) < kFewestLines) continue;
    const double gutter = edge;
    const auto on = [&](Side side) {
      return static_cast<std::size_t>(
          std::ranges::count_if(lines, [&](const PdfLine* line) { return side_of(*line, gutter) == side; }));
    };
    const std::size_t fewer = std::min(on(Side::left), on(Side::right));
    if (fewer <= most || fewer < kFewestLines || on(Side::across) > fewer) continue;
    if (std::min(median_width(lines, gutter, Side::left), median_width(lines, gutter, Side::right)) <
        kNarrowest * page_width)
      continue;
    if (2 * changes_of(lines, gutter) > fewer) continue;
    most = fewer;
    best = gutter;
  }
  return best;
}

/// Appends the lines to `ordered`: between lines that run across, the left column before the right one.
void order(const Lines& lines, double page_width, Lines& ordered) {
  const std::optional<double> gutter = gutter_of(lines, page_width);
  if (!gutter) {
    ordered.insert(ordered.end(), lines.begin(), lines.end());
    return;
  }
  Lines across;
  for (const PdfLine* line : lines)
    if (side_of(*line, *gutter) == Side::across) across.push_back(line);
  const auto middle = [](const PdfLine* line) { return (line->top + line->bottom) / 2; };
  std::ranges::stable_sort(across, {}, middle);
  const auto band_of = [&](const PdfLine* line) {
    return std::ranges::upper_bound(across, middle(line), {}, middle) - across.begin();
  };
  std::vector<Lines> left(across.size() + 1), right(across.size() + 1);
  for (const PdfLine* line : lines) {
    const Side side = side_of(*line, *gutter);
    if (side == Side::across) continue;
    (side == Side::left ? left : right)[static_cast<std::size_t>(band_of(line))].push_back(line);
  }
  for (std::size_t band = 0; band <= across.size(); ++band) {
    order(left[band], page_width, ordered);
    order(right[band], page_width, ordered);
    if (band < across.size()) ordered.push_back(across[band]);
  }
}

}  // namespace

void set_columns_in_order(PdfPage& page) {
  constexpr std::size_t kMostLines = 2000;  // more than pages of text have
  if (page.lines.size() > kMostLines) return;
  Lines lines, ordered;
  for (const PdfLine& line : page.lines) lines.push_back(&line);
  order(lines, page.width, ordered);
  std::vector<PdfLine> made;
  for (const PdfLine* line : ordered) made.push_back(*line);
  page.lines = std::move(made);
}

}  // namespace akin::extract
