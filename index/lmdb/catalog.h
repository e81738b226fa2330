// Collections in a data folder. Layout: DIR/collections/NAME/CURRENT names the generation in use,
// DIR/collections/NAME/gen-N/ is its LMDB environment.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "dict/dictionary.h"
#include "index/catalog.h"

namespace akin {

/// Opens (and with `create` makes) the data folder. The dictionary serves every collection in it; it may be
/// null for callers that neither make nor get one.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_data_folder(const std::filesystem::path& folder,
                                                                std::shared_ptr<const Dictionary> dictionary,
                                                                std::string languages, bool create);

}  // namespace akin
