#include "server/metrics/watches.h"

#include <prometheus/text_serializer.h>

#include "server/metrics/families.h"

namespace akin::metrics {

std::string watches_text(const WatchFigures& figures) {
  prometheus::MetricFamily watches = gauge_family("akin_watches", "Stored watches of all collections.");
  watches.metric.push_back(gauge(static_cast<double>(figures.watches), {}));
  prometheus::MetricFamily deliveries = counter_family(
      "akin_webhook_deliveries_total", "Calls of webhooks by this server, by what came of them.");
  const auto add = [&](const char* outcome, std::uint64_t count) {
    deliveries.metric.push_back(counter(static_cast<double>(count), {{"outcome", outcome}}));
  };
  add("delivered", figures.delivered);
  add("failed", figures.failed);
  add("given_up", figures.given_up);
  return prometheus::TextSerializer().Serialize({watches, deliveries});
}

}  // namespace akin::metrics
