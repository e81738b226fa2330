// Writes the state of a data folder again, without free pages.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace akin::state {

/// Copies all entries of DATA/state into new files, which take the place of the old ones at once: what was
/// erased from the state is then nowhere in its files. Error: busy (a process has the state open), disk_full.
[[nodiscard]] Result<void> rewrite_state(const std::filesystem::path& data);

}  // namespace akin::state
