// Curves over [0,1] as a picture.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace akin::cli {

/// A curve from the unit interval into itself, and what it is called.
struct UnitCurve {
  std::string name;
  std::function<double(double)> value;
};

/// What stands below and beside the axes.
struct CurveLabels {
  std::string title;
  std::string x;
  std::string y;
};

/// A self-contained SVG document with axes, a grid and a key; up to four curves tell apart by colour and
/// dashes.
[[nodiscard]] std::string curve_svg(const std::vector<UnitCurve>& curves, const CurveLabels& labels);

}  // namespace akin::cli
