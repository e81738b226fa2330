// What is done to a store now and then, for its searches to be fast and its disk not to be wasted.
#pragma once

#include <cstdint>

#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

struct Settling {
  /// Erases the content of what is gone, and of what was being written more than ten minutes ago and never
  /// came: on shards only what no transaction that is open now on the coordinator may still want to see.
  bool erase = true;
  bool everything = false;  ///< makes all postings compact, to one level
  bool tidy = false;        ///< writes hints anew and vacuums
};

/// Makes recent postings compact on each server, and whatever else is asked for. One at a time does so: where
/// another is at it, nothing is done. A kill at any moment loses nothing.
[[nodiscard]] Result<void> settle_store(Pool& pool, const Parts& parts, StoreNumber store,
                                        const Settling& settling);

}  // namespace akin::pg
