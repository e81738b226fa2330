// Making a collection's file as small as it can be.
#pragma once

#include "index/collection_folder.h"
#include "index/job.h"

namespace akin {

struct Compaction {
  std::uint64_t bytes_before = 0, bytes_after = 0;  ///< of the data file
};

/// As Catalog::compact.
[[nodiscard]] Result<Compaction> compact_collection(const CollectionFolder& folder,
                                                    const JobControl& control);

}  // namespace akin
