// Hints: which features many documents have, for searches to be fast.
#pragma once

#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// Writes a store's hints anew.
[[nodiscard]] Result<void> write_hints(Pool& pool, const Parts& parts, StoreNumber store);

}  // namespace akin::pg
