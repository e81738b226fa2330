// What is done around mdb_env_open so that a full disk or a damaged file gives an error instead of ending the
// process by a signal, and so that a process that is killed in it harms no other.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"

struct MDB_env;

namespace akin::lmdb {

/// Held while LMDB opens or closes an environment, so that processes do so one after the other.
///
/// The first process to open an environment prepares LMDB's lock file under an exclusive lock: it clears the
/// number of the newest transaction, and sets it some system calls later. A process that waits for this lock
/// takes the file as it finds it, even if the first one was killed in between: it would take the state on one
/// of the two meta pages for the newest, and its first commit would destroy the newest. With the lock here,
/// nobody waits there. (From 0.9.26 on, the last process to close makes the mutexes in the file unusable
/// under the same exclusive lock.)
class OpeningLock {
 public:
  /// Waits until no other process holds it. Errors: not_found, io.
  [[nodiscard]] static Result<OpeningLock> acquire(const std::filesystem::path& folder);
  OpeningLock(OpeningLock&&) noexcept = default;
  OpeningLock& operator=(OpeningLock&&) = delete;
  ~OpeningLock();

 private:
  explicit OpeningLock(FileHandle folder) noexcept : folder_(std::move(folder)) {}
  FileHandle folder_;
};

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
