// The metrics of the collections.
#pragma once

#include <vector>

#include "index/collection/catalog.h"
#include "server/metrics/families.h"

namespace akin::metrics {

/// Appends the metrics of the open collections. A collection whose statistics cannot be read is left out.
void append_collections(Catalog& catalog, std::vector<prometheus::MetricFamily>& families);

}  // namespace akin::metrics
