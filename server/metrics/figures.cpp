#include "server/metrics/figures.h"

#include <prometheus/text_serializer.h>

#include <utility>
#include <vector>

#include "server/metrics/families.h"

namespace akin::metrics {

std::string figures_text(std::span<const StoredFigure> figures) {
  std::vector<prometheus::MetricFamily> families;
  for (const StoredFigure& one : figures) {
    if (families.empty() || families.back().name != one.family)
      families.push_back((one.is_counter ? counter_family : gauge_family)(one.family, one.help));
    std::vector<prometheus::ClientMetric::Label> labels;
    if (one.label != nullptr) labels.push_back({one.label, one.of});
    families.back().metric.push_back(
        (one.is_counter ? counter : gauge)(static_cast<double>(one.value), std::move(labels)));
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace akin::metrics
