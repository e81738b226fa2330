// Metrics whose values are read at the time of the request.
#pragma once

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <string>
#include <utility>
#include <vector>

namespace akin::metrics {

[[nodiscard]] inline prometheus::MetricFamily gauge_family(std::string name, std::string help) {
  prometheus::MetricFamily family;
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = prometheus::MetricType::Gauge;
  return family;
}

[[nodiscard]] inline prometheus::ClientMetric gauge(double value,
                                                    std::vector<prometheus::ClientMetric::Label> labels) {
  prometheus::ClientMetric metric;
  metric.label = std::move(labels);
  metric.gauge.value = value;
  return metric;
}

[[nodiscard]] inline prometheus::MetricFamily counter_family(std::string name, std::string help) {
  prometheus::MetricFamily family = gauge_family(std::move(name), std::move(help));
  family.type = prometheus::MetricType::Counter;
  return family;
}

[[nodiscard]] inline prometheus::ClientMetric counter(double value,
                                                      std::vector<prometheus::ClientMetric::Label> labels) {
  prometheus::ClientMetric metric;
  metric.label = std::move(labels);
  metric.counter.value = value;
  return metric;
}

}  // namespace akin::metrics
