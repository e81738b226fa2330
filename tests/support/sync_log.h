// What a program brings to the disk, in order. A program that links this has write, writev, pwrite, fsync,
// fdatasync, rename and renameat2 from here, LMDB's library too: they do as the system's do, and are noted
// while there is a SyncLog.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace akin::test {

/// Notes what happens to the files below a folder, of all threads. One at a time.
class SyncLog {
 public:
  explicit SyncLog(const std::filesystem::path& folder);
  ~SyncLog();
  SyncLog(const SyncLog&) = delete;
  SyncLog& operator=(const SyncLog&) = delete;

  /// "write PATH", "sync PATH", "name PATH" (of what was renamed, its new name), with paths below the folder,
  /// "." for the folder itself. Writes into one file one after another are noted once.
  [[nodiscard]] static std::vector<std::string> events();
  /// The same, up to the first that gives something this name.
  [[nodiscard]] static std::vector<std::string> events_before_naming(const std::string& path);
};

/// Files that something was written into after they were synced last, or that never were.
[[nodiscard]] std::vector<std::string> not_synced(const std::vector<std::string>& events);

}  // namespace akin::test
