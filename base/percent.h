// A share as people read it: one rounding for the command line, the desk and the reports.
#pragma once

#include <cmath>

namespace akin {

/// Tenths of a percent.
struct PrintedShare {
  int tenths = 0;        ///< 0 to 1000
  bool is_less = false;  ///< the share is less than `tenths`, the least that is printed
};

/// Rounds `share`, in [0,1], to the nearest tenth of a percent, halves up. Only a share of 1 is 100 %, and
/// only one of 0 is 0 %.
[[nodiscard]] inline PrintedShare printed_share(double share) noexcept {
  constexpr int kAll = 1000;
  const auto tenths = static_cast<int>(std::lround(share * kAll));
  if (tenths == 0 && share > 0) return {1, true};
  return {tenths >= kAll && share < 1 ? kAll - 1 : tenths, false};
}

}  // namespace akin
