#include "server/metrics/checks.h"

#include <prometheus/text_serializer.h>

#include "server/metrics/families.h"

namespace akin::metrics {

std::string checks_text(const CheckFigures& figures) {
  const auto one = [](const char* name, const char* help, std::uint64_t value) {
    prometheus::MetricFamily family = gauge_family(name, help);
    family.metric.push_back(gauge(static_cast<double>(value), {}));
    return family;
  };
  prometheus::MetricFamily handed_in =
      gauge_family("akin_checks_handed_in", "Checks that were handed in and have no outcome.");
  handed_in.metric.push_back(gauge(static_cast<double>(figures.waiting), {{"state", "waiting"}}));
  handed_in.metric.push_back(gauge(static_cast<double>(figures.failed), {{"state", "failed"}}));
  return prometheus::TextSerializer().Serialize(
      {handed_in,
       one("akin_check_kept_pieces", "Files, texts and passages that checks keep.", figures.kept_pieces),
       one("akin_check_kept_bytes", "Bytes of what checks keep.", figures.kept_bytes),
       one("akin_check_kept_stored_bytes", "Bytes of what checks keep, compressed.",
           figures.kept_stored_bytes)});
}

}  // namespace akin::metrics
