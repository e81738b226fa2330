// Writes the state of a data folder again, without free pages.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace akin::state {

/// Every process that has DATA/state open holds a lock on a file in it (LMDB). Error: busy (there is one).
[[nodiscard]] Result<void> check_closed(const std::filesystem::path& data);

/// Copies all entries of DATA/state into new files, which take the place of the old ones at once: what was
/// erased from the state is then nowhere in its files. Error: busy (a process has the state open), disk_full.
[[nodiscard]] Result<void> rewrite_state(const std::filesystem::path& data);

/// Has the next server on the data folder rewrite its state before it opens it, since no process may have it
/// open then. Error: io.
[[nodiscard]] Result<void> mark_to_rewrite(const std::filesystem::path& data);
/// Rewrites a marked state; returns whether it was marked. Errors: as rewrite_state.
[[nodiscard]] Result<bool> rewrite_if_marked(const std::filesystem::path& data);

}  // namespace akin::state
