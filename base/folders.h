// Folders: their entries, listed whole, and folders that are made so that they survive a crash.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace akin {

/// The names of all entries of a folder, in no order. A folder that cannot be read to its end is an error,
/// never a shorter list. Errors: not_found, io.
[[nodiscard]] Result<std::vector<std::string>> entry_names(const std::filesystem::path& folder);

/// As make_folder, but only its owner may look into the folder: for what holds secrets, and copies of it.
[[nodiscard]] Result<void> make_private_folder(const std::filesystem::path& folder);

/// Makes a folder and those above it that are missing. Durable.
[[nodiscard]] Result<void> make_folders(const std::filesystem::path& folder);

}  // namespace akin
