// The hit rates of the caches of words: the dictionaries', and that of stored texts.
#pragma once

#include <vector>

#include "server/metrics/families.h"

namespace akin::metrics {

void append_words(std::vector<prometheus::MetricFamily>& families);

}  // namespace akin::metrics
