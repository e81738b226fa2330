// The figures of the tasks, in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace akin::metrics {

/// How many tasks have a status.
struct TasksOfStatus {
  std::string_view status;
  std::uint64_t count = 0;
};

/// May stand after Metrics::text().
[[nodiscard]] std::string tasks_text(std::span<const TasksOfStatus> tasks);

}  // namespace akin::metrics
