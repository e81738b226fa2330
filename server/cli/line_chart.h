// Curves drawn as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace akin::cli {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< x ascending
  bool marked = true;                             ///< with a dot at each point
};

/// Axes from 0 to the largest x, and from 0 to 1.
struct LineChart {
  std::string title, x_label, y_label;
  std::vector<ChartLine> lines;
};

/// A whole SVG 1.1 document in UTF-8, with a legend at the right; a pure function of the chart. Texts are
/// escaped. A line without points is named in the legend alone.
[[nodiscard]] std::string chart_svg(const LineChart& chart);

}  // namespace akin::cli
