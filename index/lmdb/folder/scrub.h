// The scrub of one data file: its pages and the checks of its values, without LMDB and without its map, so
// that damage is a finding and not a signal.
//
// A reader that takes hours must not keep replaced pages from being reused, so it registers nowhere: it reads
// 1 MiB at a time, checks afterwards that no commit can have reused what it read (meta_table.h), and
// continues from the key after it. Trees as a whole are checked at the beginning of a pass, down to their
// branches.
//
//     gen-3/SCRUB   the last pass and the place in the present one (docs/index-format.md)
#pragma once

#include <filesystem>

#include "index/collection/scrub.h"

namespace akin {

/// Catalog::scrub of the store in a folder.
[[nodiscard]] Result<std::optional<ScrubPass>> scrub_store(const std::filesystem::path& store_folder,
                                                           const ScrubControl& control);

/// Catalog::last_scrub of the store in a folder.
[[nodiscard]] std::optional<ScrubPass> last_scrub_of(const std::filesystem::path& store_folder);

}  // namespace akin
