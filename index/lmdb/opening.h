// What is done around mdb_env_open so that a full disk or a damaged file gives an error instead of ending the
// process by a signal.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"

struct MDB_env;

namespace akin::lmdb {

/// Gives the lock file of an environment disk space, before LMDB maps it: LMDB makes it by ftruncate, and a
/// page of the map that the disk has no room for is SIGBUS. Requires that this process does not have the
/// environment open, as closing the file releases its locks. Errors: disk_full, io.
[[nodiscard]] Result<void> allocate_lock_file(const std::filesystem::path& folder, mode_t mode,
                                              unsigned readers);

/// Checks that the data file of an environment that was just opened is as long as its state requires, and
/// (PageWalk::Extent::branches) that its trees are sound down to the leaves, which every read checks itself.
/// Error: corrupt (it names the file, and both sizes or the page and the table).
[[nodiscard]] Result<void> check_data_file(MDB_env* env, const std::filesystem::path& folder);

/// Checks every page of the newest state (PageWalk::Extent::everything), without reading any through the map.
/// Returns the number of findings. Errors: io; corrupt (not a data file).
[[nodiscard]] Result<std::uint64_t> walk_data_file(
    MDB_env* env, const std::filesystem::path& folder,
    const std::function<void(std::string where, std::string broken)>& report);

}  // namespace akin::lmdb
