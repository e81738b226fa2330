// The hit rates of the dictionaries' caches.
#pragma once

#include <vector>

#include "server/metrics/families.h"

namespace akin::metrics {

void append_words(std::vector<prometheus::MetricFamily>& families);

}  // namespace akin::metrics
