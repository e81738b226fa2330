// Building the next generation of a collection from the texts of the present one.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "index/collection.h"
#include "index/collection_folder.h"

namespace akin {

/// What the new generation is to be built with.
struct ReindexPlan {
  std::shared_ptr<const Dictionary> dictionary;
  std::string languages;
  std::string scheme;  ///< empty = the collection's own
};

/// Takes the collection's exclusive lock, builds, switches, removes the old generation. Until the switch
/// nothing that others see has changed. Errors: not_found, busy, disk_full, corrupt (a stored text is
/// damaged; the error names the document, which can be deleted or put again), invalid_argument (unknown
/// scheme).
[[nodiscard]] Result<void> reindex_collection(const CollectionFolder& folder, const ReindexPlan& plan,
                                              const std::function<void(const JobProgress&)>& progress);

}  // namespace akin
