// Makes a collection's file as small as possible.
#pragma once

#include "index/catalog.h"
#include "index/lmdb/collection_folder.h"

namespace akin {

/// As Catalog::compact.
[[nodiscard]] Result<Compaction> compact_collection(const CollectionFolder& folder,
                                                    const JobControl& control);

}  // namespace akin
