// Figures that were counted elsewhere, in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace akin::metrics {

struct StoredFigure {
  const char* family;
  const char* help;
  std::uint64_t value = 0;
  const char* label = nullptr;  ///< of `of`; null: the family has one figure only
  std::string of = {};
  bool is_counter = false;  ///< it never falls
};

/// May be appended to Metrics::text(). Those of one family follow each other.
[[nodiscard]] std::string figures_text(std::span<const StoredFigure> figures);

}  // namespace akin::metrics
