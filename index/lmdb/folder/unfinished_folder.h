// A collection of a data folder that is being copied: a folder .copying-NAME next to it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "index/collection/catalog.h"

namespace akin {

/// As Catalog::begin_copy, in the folder of all collections.
[[nodiscard]] Result<std::unique_ptr<UnfinishedCollection>> begin_folder(
    const std::filesystem::path& collections, std::string_view name, const StoreIdentity& identity,
    const std::optional<std::string>& packed);

}  // namespace akin
