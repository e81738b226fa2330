// The figures of the collections.
#pragma once

#include <vector>

#include "index/catalog.h"
#include "server/metrics/families.h"

namespace akin::metrics {

/// Appends those of the collections that are open. A collection whose figures cannot be read is left out.
void append_collections(Catalog& catalog, std::vector<prometheus::MetricFamily>& families);

}  // namespace akin::metrics
