// What the folders of a catalog need of the file system: changes that survive a crash, and locks between
// processes.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

/// Owns a file descriptor. Move-only.
class FileHandle {
 public:
  explicit FileHandle(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle();
  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// A whole small file. Errors: not_found, io.
[[nodiscard]] Result<std::string> read_small_file(const std::filesystem::path& file);

/// Replaces a file by one rename: whoever reads it sees the old content or the new, after a crash too.
/// Durable when it returns. Uses FILE.tmp beside it.
[[nodiscard]] Result<void> replace_file(const std::filesystem::path& file, std::string_view content);

/// Makes one folder, whose parent exists; an existing one is fine. Durable.
[[nodiscard]] Result<void> make_folder(const std::filesystem::path& folder);

/// Brings the entries of a folder (names made, renamed and removed in it) to the disk.
[[nodiscard]] Result<void> sync_folder(const std::filesystem::path& folder);

/// Renames within one file system, and syncs the parent of the new name. Error: already_exists if there is
/// something.
[[nodiscard]] Result<void> rename_new(const std::filesystem::path& from, const std::filesystem::path& to);

/// 16 random hex digits.
[[nodiscard]] std::string random_token();

/// A lock on a file that many may hold shared or one exclusively, over all processes and threads; released
/// when destroyed, and by the system when its process dies.
///
/// There is a door before the room: whoever wants the room must pass the door, and an exclusive holder keeps
/// it shut. So a stream of shared holders does not keep an exclusive one waiting for more than those already
/// inside.
class FolderLock {
 public:
  /// Waits for at most `patience`. Errors: busy (`holder` says what may hold it: "a reindex"), not_found.
  [[nodiscard]] static Result<FolderLock> shared(const std::filesystem::path& file,
                                                 std::chrono::milliseconds patience, std::string_view holder);
  [[nodiscard]] static Result<FolderLock> exclusive(const std::filesystem::path& file,
                                                    std::chrono::milliseconds patience,
                                                    std::string_view holder);
  /// A third place, for one at a time, that neither waits for the room nor keeps anybody from it.
  [[nodiscard]] static Result<FolderLock> workshop(const std::filesystem::path& file,
                                                   std::chrono::milliseconds patience,
                                                   std::string_view holder);

 private:
  explicit FolderLock(FileHandle file) noexcept : file_(std::move(file)) {}
  static Result<FolderLock> lock(const std::filesystem::path& file, short kind,
                                 std::chrono::milliseconds patience, std::string_view holder);
  FileHandle file_;
};

}  // namespace akin
