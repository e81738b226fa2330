#include "server/cli/curve_svg.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>

namespace akin::cli {
namespace {

// Pixels: the plot's corner and side lengths, and the picture's.
constexpr int kLeft = 60, kTop = 40, kWidth = 520, kHeight = 320;
constexpr int kPictureWidth = 620, kPictureHeight = 430;
constexpr int kSteps = 200;  // of a curve

struct Style {
  std::string_view colour, dashes;
};
constexpr std::array<Style, 4> kStyles{
    {{"#0b5fa5", "none"}, {"#b5460f", "7 4"}, {"#2c7a2c", "2 3"}, {"#6b3fa0", "9 3 2 3"}}};

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + std::string(anchor) +
         "\">" + escaped(text) + "</text>\n";
}

double across(double x) { return kLeft + x * kWidth; }
double up(double y) { return kTop + (1 - y) * kHeight; }

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
         number(y2) + "\" " + std::string(style) + "/>\n";
}

std::string grid() {
  std::string svg;
  for (int tenth = 0; tenth <= 10; ++tenth) {
    const double at = tenth / 10.0;
    svg += line(across(at), up(0), across(at), up(1), "stroke=\"#ddd\"");
    svg += line(across(0), up(at), across(1), up(at), "stroke=\"#ddd\"");
    const std::string label = number(at).substr(0, 3);
    svg += text_at(across(at), up(0) + 16, "middle", label);
    svg += text_at(across(0) - 6, up(at) + 4, "end", label);
  }
  return svg;
}

std::string curve(const UnitCurve& drawn, const Style& style) {
  std::string points;
  for (int step = 0; step <= kSteps; ++step) {
    const double x = static_cast<double>(step) / kSteps;
    points += number(across(x)) + "," + number(up(drawn.value(x))) + " ";
  }
  points.pop_back();
  return "<polyline points=\"" + points + "\" fill=\"none\" stroke-width=\"2\" stroke=\"" +
         std::string(style.colour) + "\" stroke-dasharray=\"" + std::string(style.dashes) + "\"/>\n";
}

}  // namespace

std::string curve_svg(const std::vector<UnitCurve>& curves, const CurveLabels& labels) {
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                    std::to_string(kPictureWidth) + " " + std::to_string(kPictureHeight) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
                    "fill=\"white\"/>\n";
  svg += grid();
  svg += text_at(kLeft + kWidth / 2.0, kTop - 16, "middle", labels.title);
  svg += text_at(kLeft + kWidth / 2.0, up(0) + 36, "middle", labels.x);
  svg += "<g transform=\"rotate(-90 16 " + number(up(0.5)) + ")\">" +
         text_at(16, up(0.5), "middle", labels.y) + "</g>\n";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Style& style = kStyles[i % kStyles.size()];
    svg += curve(curves[i], style);
    const double y = kTop + 16 + 18.0 * static_cast<double>(i);
    svg += line(kLeft + 10, y - 4, kLeft + 40, y - 4,
                "stroke-width=\"2\" stroke=\"" + std::string(style.colour) + "\" stroke-dasharray=\"" +
                    std::string(style.dashes) + "\"");
    svg += text_at(kLeft + 46, y, "start", curves[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace akin::cli
