// Making a collection's file as small as it can be.
#pragma once

#include "index/job.h"
#include "index/lmdb/collection_folder.h"

namespace akin {

struct Compaction {
  std::uint64_t bytes_before = 0, bytes_after = 0;  ///< of the data file
};

/// As Catalog::compact.
[[nodiscard]] Result<Compaction> compact_collection(const CollectionFolder& folder,
                                                    const JobControl& control);

}  // namespace akin
