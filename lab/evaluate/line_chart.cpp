#include "lab/evaluate/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace akin::evaluate {

namespace {

constexpr double kWidth = 820;
constexpr double kLeft = 64;
constexpr double kRight = 20;
constexpr double kTop = 44;
constexpr double kPlotHeight = 360;
constexpr double kLegendLine = 20;
constexpr int kTicks = 5;

/// Colours that people with any colour vision can distinguish (Okabe, Ito 2008), without the yellow.
constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#56b4e9", "#e69f00", "#7f7f7f"};
/// Further lines differ by their strokes.
constexpr std::array<std::string_view, 4> kStrokes = {"", "7 4", "2 3", "9 3 2 3"};

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", std::round(value * 1e4) / 1e4);
  return text.data();
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

std::string line_at(double x1, double y1, double x2, double y2, std::string_view css) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
         number(y2) + "\" class=\"" + std::string(css) + "\"/>\n";
}

/// 1, 2 or 5 times a power of ten, at least `step`.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

class Drawing {
 public:
  explicit Drawing(const LineChart& chart)
      : chart_(chart),
        y_step_(round_step(chart.y_to / kTicks)),
        y_top_(std::ceil(chart.y_to / y_step_) * y_step_) {}

  [[nodiscard]] std::string document() const {
    const double height = kTop + kPlotHeight + 60 + kLegendLine * static_cast<double>(chart_.lines.size());
    std::string out =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
        "\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n<title>" + escaped(chart_.title) +
        "</title>\n<style>text{fill:#222}.grid{stroke:#8886}.axis{stroke:#888}"
        ".line{fill:none;stroke-width:2}svg{background:#fff}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}svg{background:#1b1b1d}}</style>\n";
    out += "<text x=\"" + number(kLeft) + "\" y=\"24\" font-size=\"15\" font-weight=\"600\">" +
           escaped(chart_.title) + "</text>\n";
    return out + axes() + lines() + legend() + "</svg>\n";
  }

 private:
  const LineChart& chart_;
  double y_step_, y_top_;

  [[nodiscard]] double x(double value) const {
    return kLeft + (kWidth - kLeft - kRight) * (value - chart_.x_from) / (chart_.x_to - chart_.x_from);
  }
  [[nodiscard]] double y(double value) const { return kTop + kPlotHeight * (1 - value / y_top_); }

  [[nodiscard]] std::string axes() const {
    std::string out;
    for (int i = 0; i * y_step_ <= y_top_ * (1 + 1e-9); ++i) {
      const double value = i * y_step_;
      out += line_at(kLeft, y(value), kWidth - kRight, y(value), i == 0 ? "axis" : "grid");
      out += text_at(kLeft - 8, y(value) + 4, "end", number(value));
    }
    const double bottom = kTop + kPlotHeight;
    for (int i = 0; i <= kTicks; ++i) {
      const double value = chart_.x_from + (chart_.x_to - chart_.x_from) * i / kTicks;
      out += line_at(x(value), bottom, x(value), bottom + 5, "axis");
      out += text_at(x(value), bottom + 20, "middle", number(value));
    }
    out += text_at((kLeft + kWidth - kRight) / 2, bottom + 40, "middle", chart_.x_title);
    out += "<text transform=\"translate(16 " + number(kTop + kPlotHeight / 2) +
           ") rotate(-90)\" text-anchor=\"middle\">" + escaped(chart_.y_title) + "</text>\n";
    return out;
  }

  [[nodiscard]] static std::string stroke(std::size_t line) {
    const std::string_view dashes = kStrokes[line / kColours.size() % kStrokes.size()];
    return "stroke=\"" + std::string(kColours[line % kColours.size()]) + "\"" +
           (dashes.empty() ? "" : " stroke-dasharray=\"" + std::string(dashes) + "\"");
  }

  [[nodiscard]] std::string lines() const {
    std::string out;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      out += "<polyline class=\"line\" " + stroke(i) + " points=\"";
      for (const auto& [at, value] : chart_.lines[i].points)
        out += number(x(at)) + "," + number(y(value)) + " ";
      if (!chart_.lines[i].points.empty()) out.pop_back();
      out += "\"/>\n";
    }
    return out;
  }

  [[nodiscard]] std::string legend() const {
    std::string out;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      const double at = kTop + kPlotHeight + 64 + kLegendLine * static_cast<double>(i);
      out += "<path class=\"line\" " + stroke(i) + " d=\"M" + number(kLeft) + " " + number(at - 4) +
             "h36\"/>\n" + text_at(kLeft + 46, at, "start", chart_.lines[i].name);
    }
    return out;
  }
};

}  // namespace

std::string svg(const LineChart& chart) { return Drawing(chart).document(); }

}  // namespace akin::evaluate
