// The metrics of the tasks, in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace akin::metrics {

/// The number of tasks with a status.
struct TasksOfStatus {
  std::string_view status;
  std::uint64_t count = 0;
};

/// May be appended to Metrics::text().
[[nodiscard]] std::string tasks_text(std::span<const TasksOfStatus> tasks);

}  // namespace akin::metrics
