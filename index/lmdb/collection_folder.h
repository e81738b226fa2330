// The files of one collection: which generation is in use, how the switch to the next one is made, and who
// may write.
//
//     NAME/CURRENT       "gen-3 1f0c…": the generation in use and its token; the token tells a collection
//     that was dropped
//                        and made again from its namesake
//     NAME/LOCK          locked shared by whoever writes, exclusively by whoever switches or drops; its
//                        workshop by whoever builds a generation
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
#include "base/files.h"
#include "base/time.h"

namespace akin {

/// The content of CURRENT.
struct Generation {
  std::uint64_t number = 0;
  std::string token;
  friend bool operator==(const Generation&, const Generation&) = default;
  [[nodiscard]] std::string folder_name() const { return "gen-" + std::to_string(number); }
};

class CollectionFolder {
 public:
  explicit CollectionFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }
  [[nodiscard]] std::filesystem::path store_path(const Generation& generation) const {
    return folder_ / generation.folder_name();
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
  /// Requires workshop and exclusive lock (or a folder that nobody else knows).
  [[nodiscard]] Result<void> switch_to(const Generation& next) const;

  /// Leave to write: as long as it is held, CURRENT stays as it is. Errors: busy, not_found.
  [[nodiscard]] Result<FolderLock> lock_for_writing() const;
  /// Leave to switch or drop: writers wait at the door. Waits for the writes at work, for at most `patience`,
  /// which is to be much shorter than that of the writers, who are refused when they have waited too long.
  /// Errors: busy, not_found.
  [[nodiscard]] Result<FolderLock> lock_alone(std::chrono::milliseconds patience = kAlonePatience) const;
  /// Leave to build another generation, to make it the one in use (which needs lock_alone as well), and to
  /// remove leftovers. Writes go on. Errors: busy (somebody else builds), not_found.
  [[nodiscard]] Result<FolderLock> lock_workshop(std::chrono::milliseconds patience) const;

  /// How long a write waits for a switch before it is refused as busy.
  static constexpr std::chrono::milliseconds kWriterPatience{60'000};
  static constexpr std::chrono::milliseconds kAlonePatience{10'000};

  /// "collection 'books'", for errors.
  [[nodiscard]] std::string name() const;
  /// The error when there is no such collection.
  [[nodiscard]] Error not_found() const;

  [[nodiscard]] bool has_leftovers(const Generation& current) const;
  /// Requires the workshop. A folder is renamed before its files go, so that nobody opens half of it.
  void remove_leftovers(const Generation& current) const;

 private:
  [[nodiscard]] Result<FolderLock> found(Result<FolderLock> lock) const;
  std::filesystem::path folder_;
};

/// The rule of is_collection_name, in words.
inline constexpr const char* kCollectionNameRule =
    "1 to 64 letters a-z, A-Z, digits and . _ -, a letter or digit first";
/// [A-Za-z0-9][A-Za-z0-9._-]{0,63}
[[nodiscard]] bool is_collection_name(std::string_view name) noexcept;

}  // namespace akin
