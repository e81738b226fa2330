// The metrics of the process, under the names that Prometheus' own clients use.
#pragma once

#include <vector>

#include "server/metrics/families.h"

namespace akin::metrics {

/// Appends start time, processor time, memory and open files, as far as /proc provides them.
void append_process(std::vector<prometheus::MetricFamily>& families);

}  // namespace akin::metrics
