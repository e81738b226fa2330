#include "server/metrics/tasks.h"

#include <prometheus/text_serializer.h>

#include "server/metrics/families.h"

namespace akin::metrics {

std::string tasks_text(std::span<const TasksOfStatus> tasks) {
  prometheus::MetricFamily family = gauge_family("akin_tasks", "Remembered tasks, by their status.");
  for (const auto& [status, count] : tasks)
    family.metric.push_back(gauge(static_cast<double>(count), {{"status", std::string(status)}}));
  return prometheus::TextSerializer().Serialize({family});
}

}  // namespace akin::metrics
