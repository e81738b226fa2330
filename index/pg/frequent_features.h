// Frequent features: those that many documents have, listed to make searches fast.
#pragma once

#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// Rebuilds a store's list of frequent features.
[[nodiscard]] Result<void> write_frequent_features(Pool& pool, const Parts& parts, StoreNumber store);

}  // namespace akin::pg
