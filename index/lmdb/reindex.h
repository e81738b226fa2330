// Building the next generation of a collection from the texts of the present one.
#pragma once

#include <memory>
#include <string_view>

#include "index/collection.h"
#include "index/lmdb/collection_folder.h"

namespace akin {

/// What the new generation is to be built with.
struct ReindexPlan {
  std::shared_ptr<const Dictionary> dictionary;
  std::string languages;
  std::string scheme;  ///< empty = the collection's own
};

/// As Catalog::reindex. A damaged text is told with its document, which can be deleted or put again.
[[nodiscard]] Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                              const JobControl& control);

}  // namespace akin
