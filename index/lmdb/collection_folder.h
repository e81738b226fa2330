// The files of one collection: which generation is in use, how the switch to the next one is made, and who
// may write.
//
//     NAME/CURRENT       "gen-3 1f0c…": the generation in use and its token; the token tells a collection
//     that was dropped
//                        and made again from its namesake
//     NAME/LOCK          locked shared by whoever writes, exclusively by whoever switches or drops; its
//                        maintenance by whoever builds a generation
//     NAME/EXPIRES       of a temporary collection: the moment (RFC 3339) from which on there is none
//     NAME/gen-3/        the store of generation 3
//
// Everything else in the folder is left over from a crash and goes with the next reindex or opening.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file_lock.h"
#include "base/time.h"
#include "index/collection.h"

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

  /// Makes the folder with its lock file; there is no generation yet.
  [[nodiscard]] Result<void> make() const;

  /// Errors: not_found (no such collection, or it has expired), corrupt.
  [[nodiscard]] Result<Generation> current() const;

  /// When the collection expires; nothing if it is permanent. Error: corrupt.
  [[nodiscard]] Result<std::optional<Time>> expiry() const;
  /// Durable when it returns; nothing makes the collection permanent. Requires that nobody drops it
  /// meanwhile.
  [[nodiscard]] Result<void> set_expiry(const std::optional<Time>& expires) const;

  /// Makes `next`, whose store is complete and on the disk, the generation in use. Durable when it returns.
  /// Requires maintenance and exclusive lock (or a folder that nobody else knows).
  [[nodiscard]] Result<void> switch_to(const Generation& next) const;

  /// Leave to write: as long as it is held, CURRENT stays as it is. Errors: busy, not_found.
  [[nodiscard]] Result<FileLock> lock_for_writing() const;
  /// Leave to switch or drop: writers wait at the door. Waits for the writes at work, for at most `patience`,
  /// which is to be much shorter than that of the writers, who are refused when they have waited too long.
  /// Errors: busy, not_found.
  [[nodiscard]] Result<FileLock> lock_exclusively(
      std::chrono::milliseconds patience = kExclusivePatience) const;
  /// Leave to build another generation, to make it the one in use (which needs lock_exclusively as well), and
  /// to remove leftovers. Writes go on. Errors: busy (somebody else builds), not_found.
  [[nodiscard]] Result<FileLock> lock_maintenance(std::chrono::milliseconds patience) const;

  /// How long a write waits for a switch before it is refused as busy.
  static constexpr std::chrono::milliseconds kWriterPatience{60'000};
  static constexpr std::chrono::milliseconds kExclusivePatience{10'000};

  /// "collection 'books'", for errors.
  [[nodiscard]] std::string name() const;
  /// The error when there is no such collection.
  [[nodiscard]] Error not_found() const;

  [[nodiscard]] bool has_leftovers(const Generation& current) const;
  /// Requires the maintenance. A folder is renamed before its files go, so that nobody opens half of it.
  void remove_leftovers(const Generation& current) const;

 private:
  [[nodiscard]] Result<FileLock> found(Result<FileLock> lock) const;
  std::filesystem::path folder_;
};

}  // namespace akin
