// The files of one collection: which generation is in use, how the switch to the next one happens, and which
// process may write.
//
//     NAME/CURRENT       "gen-3 1f0c…": the generation in use and its token; the token
//                        distinguishes it from an earlier collection of this name
//     NAME/LOCK          locked shared by writers, exclusively for a switch or drop; its maintenance
//                        lock is held while a generation is built
//     NAME/EXPIRES       of a temporary collection: when it expires (RFC 3339)
//     NAME/gen-3/        the store of generation 3
//
// Everything else in the folder is left over from a crash and is removed by the next reindex or opening.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_lock.h"
#include "base/time.h"
#include "index/collection/collection.h"

namespace akin {

/// "gen-3"
[[nodiscard]] inline std::string folder_name(const Generation& generation) {
  return "gen-" + std::to_string(generation.number);
}

class CollectionFolder {
 public:
  explicit CollectionFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }
  [[nodiscard]] std::filesystem::path store_path(const Generation& generation) const {
    return folder_ / folder_name(generation);
  }

  /// Creates the folder with its lock file; there is no generation yet.
  [[nodiscard]] Result<void> make() const;

  /// Errors: not_found (no such collection, or it has expired), corrupt (CURRENT is damaged, or missing
  /// beside a generation).
  [[nodiscard]] Result<Generation> current() const;
  /// The same with the time at which the collection expires.
  [[nodiscard]] Result<std::pair<Generation, std::optional<Time>>> current_and_expiry() const;
  /// One more than those of all generations, in use or not.
  [[nodiscard]] std::uint64_t free_number() const;
  /// Whether there is a collection that has not expired, which may be damaged: cheaper than current().
  [[nodiscard]] bool exists() const;

  /// When the collection expires; nothing if it is permanent. Error: corrupt.
  [[nodiscard]] Result<std::optional<Time>> expiry() const;
  /// Durable when it returns; an empty value makes the collection permanent. Requires that nobody drops it
  /// meanwhile.
  [[nodiscard]] Result<void> set_expiry(const std::optional<Time>& expires) const;

  /// Makes `next`, whose store is complete and on the disk, the generation in use. Durable when it returns.
  /// Requires maintenance and exclusive lock (or a folder that nobody else knows of).
  [[nodiscard]] Result<void> switch_to(const Generation& next) const;

  /// Permission to write: while it is held, CURRENT does not change. Errors: busy, not_found.
  [[nodiscard]] Result<FileLock> lock_for_writing() const;
  /// Permission to switch or drop: new writers wait at the gate byte. Waits for the writes in progress, for
  /// at most `patience`, which must be much shorter than that of the writers, which are refused when they
  /// have waited too long. Errors: busy, not_found.
  [[nodiscard]] Result<FileLock> lock_exclusively(
      std::chrono::milliseconds patience = kExclusivePatience) const;
  /// Permission to build another generation, to make it the one in use (which needs lock_exclusively as
  /// well), and to remove leftovers. Writes continue. Errors: busy (another process builds one), not_found.
  [[nodiscard]] Result<FileLock> lock_maintenance(
      std::chrono::milliseconds patience = kMaintenancePatience) const;

  /// How long a write waits for a switch before it fails as busy.
  static constexpr std::chrono::milliseconds kWriterPatience{60'000};
  static constexpr std::chrono::milliseconds kExclusivePatience{10'000};
  /// Enough for an opening that removes the leftovers of the switch before.
  static constexpr std::chrono::milliseconds kMaintenancePatience{1'000};

  /// "collection 'books'", for errors.
  [[nodiscard]] std::string name() const;
  /// The error when there is no such collection.
  [[nodiscard]] Error not_found() const;

  [[nodiscard]] bool has_leftovers(const Generation& current) const;
  /// Requires the maintenance lock. A folder is renamed before its files go, so that nobody opens half of it.
  /// Removes nothing while it cannot be made sure that the disk names `current` too.
  void remove_leftovers(const Generation& current) const;

 private:
  [[nodiscard]] Result<FileLock> found(Result<FileLock> lock) const;
  /// The names of the folders of generations, in use or not.
  [[nodiscard]] std::vector<std::string> generations() const;
  /// The error of CURRENT, whose remedy has the line that belongs into it if only one can.
  [[nodiscard]] Error damaged(std::string_view how) const;
  std::filesystem::path folder_;
};

/// Writers hold the folder's lock, so that CURRENT does not change.
class FolderWriteGuard final : public WriteGuard {
 public:
  explicit FolderWriteGuard(CollectionFolder folder) : folder_(std::move(folder)) {}

  Result<std::shared_ptr<void>> enter(const Generation& generation) const override;
  Result<bool> is_replaced(const Generation& generation) const override;

 private:
  CollectionFolder folder_;
};

}  // namespace akin
