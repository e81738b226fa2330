// Locks between processes, on the bytes of a file.
#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/files.h"

namespace akin {

/// A lock on a file, over all processes and threads: many holders at once (shared), or one (exclusive).
/// Released when it is destroyed, and by the system when its process dies.
///
/// Acquiring takes a gate byte first; an exclusive holder keeps the gate locked, so new shared holders cannot
/// starve it.
class FileLock {
 public:
  /// Waits for at most `patience`. Errors: busy (`holder` says what may hold it: "a reindex"), not_found.
  [[nodiscard]] static Result<FileLock> shared(const std::filesystem::path& file,
                                               std::chrono::milliseconds patience, std::string_view holder);
  [[nodiscard]] static Result<FileLock> exclusive(const std::filesystem::path& file,
                                                  std::chrono::milliseconds patience,
                                                  std::string_view holder);
  /// A third byte: independent of the shared or exclusive lock, with at most one holder.
  [[nodiscard]] static Result<FileLock> maintenance(const std::filesystem::path& file,
                                                    std::chrono::milliseconds patience,
                                                    std::string_view holder);

 private:
  explicit FileLock(FileHandle file) noexcept : file_(std::move(file)) {}
  FileHandle file_;
};

/// Opens a file for writing by one handle at a time, in all processes, and makes it if it is missing; its
/// content stays. The next one may have it when this handle is closed, and when its process dies. Errors:
/// `taken` (another handle has it), not_found (its folder), io.
[[nodiscard]] Result<FileHandle> open_alone(const std::filesystem::path& file, const Error& taken);

}  // namespace akin
