#include "server/cli/line_chart.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace akin::cli {

namespace {

constexpr double kLeft = 60, kTop = 40, kWidth = 480, kHeight = 300;
constexpr double kFullWidth = 740, kFullHeight = 400;
constexpr int kSteps = 5;  // of each axis

/// Colours that stay apart for most eyes (Okabe and Ito).
constexpr std::array<const char*, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#e69f00", "#56b4e9", "#000000", "#8a6d00"};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + std::string(anchor) +
         "\">" + escaped(text) + "</text>\n";
}

std::string rule(double x1, double y1, double x2, double y2) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
         number(y2) + "\" stroke=\"#ccc\"/>\n";
}

double largest_x(const LineChart& chart) {
  double largest = 0;
  for (const ChartLine& line : chart.lines) {
    for (const auto& [x, y] : line.points) largest = std::max(largest, x);
  }
  return largest == 0 ? 1 : largest;
}

std::string axes(const LineChart& chart, double largest) {
  std::string svg;
  for (int i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    const double y = kTop + kHeight * (1 - share);
    const double x = kLeft + kWidth * share;
    svg += rule(kLeft, y, kLeft + kWidth, y) + text_at(kLeft - 8, y + 4, "end", number(share));
    svg += rule(x, kTop + kHeight, x, kTop + kHeight + 5);
    svg += text_at(x, kTop + kHeight + 20, "middle", number(share * largest));
  }
  svg += text_at(kLeft + kWidth / 2, kTop - 16, "middle", chart.title);
  svg += text_at(kLeft + kWidth / 2, kTop + kHeight + 42, "middle", chart.x_label);
  svg += text_at(kLeft - 8, kTop - 16, "end", chart.y_label);
  return svg;
}

std::string curve(const ChartLine& line, double largest, const char* colour) {
  std::string points;
  std::string dots;
  for (const auto& [x, y] : line.points) {
    const std::string at_x = number(kLeft + kWidth * x / largest);
    const std::string at_y = number(kTop + kHeight * (1 - y));
    points += (points.empty() ? "" : " ") + at_x + "," + at_y;
    if (line.marked) dots += "<circle cx=\"" + at_x + "\" cy=\"" + at_y + "\" r=\"3\" fill=\"" + colour + "\"/>\n";
  }
  if (points.empty()) return {};
  return "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(colour) + "\" points=\"" +
         points + "\"/>\n" + dots;
}

}  // namespace

std::string chart_svg(const LineChart& chart) {
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kFullWidth) + " " +
                    number(kFullHeight) + "\" font-family=\"sans-serif\" font-size=\"13\">\n" +
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  const double largest = largest_x(chart);
  svg += axes(chart, largest);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    svg += curve(chart.lines[i], largest, colour);
    const double y = kTop + 20 * static_cast<double>(i);
    svg += "<rect x=\"" + number(kLeft + kWidth + 20) + "\" y=\"" + number(y) +
           "\" width=\"14\" height=\"4\" fill=\"" + colour + "\"/>\n";
    svg += text_at(kLeft + kWidth + 40, y + 7, "start", chart.lines[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace akin::cli
