// Draws a line chart as SVG 1.1, for documents.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace akin::evaluate {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< x ascending
};

struct LineChart {
  std::string title, x_title, y_title;
  double x_from = 0.0, x_to = 1.0;  ///< x_from < x_to
  double y_to = 1.0;                ///< over 0; y begins at 0
  std::vector<ChartLine> lines;
};

/// A whole SVG document, 820 wide; a legend below the chart names the lines. It is readable on light and dark
/// backgrounds and refers to nothing outside of itself.
[[nodiscard]] std::string svg(const LineChart& chart);

}  // namespace akin::evaluate
