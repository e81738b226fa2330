// Collections in a data folder. Layout: DIR/collections/NAME/CURRENT names the generation in use,
// DIR/collections/NAME/gen-N/ is its LMDB environment.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"

namespace akin {

/// Opens (and with `create` makes) the data folder. The dictionaries may be null for callers that neither
/// make nor get nor reindex a collection.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_data_folder(const std::filesystem::path& folder,
                                                                std::shared_ptr<Dictionaries> dictionaries,
                                                                bool create,
                                                                const CatalogOptions& options = {});
/// The same with one dictionary that never changes.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_data_folder(
    const std::filesystem::path& folder, const std::shared_ptr<const Dictionary>& dictionary,
    std::string languages, bool create, const CatalogOptions& options = {});

}  // namespace akin
