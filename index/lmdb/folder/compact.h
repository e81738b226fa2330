// Makes a collection's file as small as possible.
#pragma once

#include "index/collection/catalog.h"
#include "index/lmdb/folder/collection_folder.h"

namespace akin {

/// As Catalog::compact. `shared`: shared_dictionaries.
[[nodiscard]] Result<Compaction> compact_collection(const CollectionFolder& folder,
                                                    const std::filesystem::path& shared,
                                                    const JobControl& control);

}  // namespace akin
