// A collection of a data folder on its way: a folder .copying-NAME beside it.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "index/catalog.h"

namespace akin {

/// As Catalog::begin_copy, in the folder of all collections.
[[nodiscard]] Result<std::unique_ptr<UnfinishedCollection>> begin_folder(
    const std::filesystem::path& collections, std::string_view name, const StoreIdentity& identity);

}  // namespace akin
