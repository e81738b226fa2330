// Builds the next generation of a collection from the texts of the current one.
#pragma once

#include <filesystem>

#include "index/collection/generation_switch.h"
#include "index/lmdb/folder/collection_folder.h"

namespace akin {

/// As Catalog::reindex. `shared`: shared_dictionaries. The error for a damaged text names its document, which
/// can be deleted or put again.
[[nodiscard]] Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                              const std::filesystem::path& shared, const JobControl& control);

}  // namespace akin
