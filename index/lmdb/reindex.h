// Builds the next generation of a collection from the texts of the current one.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "index/collection.h"
#include "index/job.h"
#include "index/lmdb/collection_folder.h"

namespace akin {

/// What to build the new generation with.
struct ReindexPlan {
  std::shared_ptr<const Dictionary> dictionary;
  std::string languages;
  std::string scheme;            ///< empty = the collection's own
  std::filesystem::path shared;  ///< shared_dictionaries
};

/// As Catalog::reindex. The error for a damaged text names its document, which can be deleted or put again.
[[nodiscard]] Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                              const JobControl& control);

}  // namespace akin
