// Content that no document has any more, erased in bulk.
#pragma once

#include <cstdint>

#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// Erases the content of what is gone, and of what was being written more than ten minutes ago and never
/// came. On shards only what no transaction that is open now on the coordinator may still want to see: the
/// rest stays for the next time. Any number may do so at once. How many documents' content was erased.
[[nodiscard]] Result<std::uint64_t> erase_gone(Pool& pool, const Parts& parts, StoreNumber store);

}  // namespace akin::pg
