// What is put into a folder and its subfolders, as the system reports it (inotify).
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/files.h"

namespace akin::cli {

/// One thread.
class FolderWatch {
 public:
  /// A file or folder that was made, or that got its name by renaming. It may be gone again.
  struct Arrival {
    std::filesystem::path path;
    bool is_renamed = false;
  };

  /// Watches from now on.
  explicit FolderWatch(const std::filesystem::path& folder);

  /// What arrived since the last call; waits for it up to `most`. Nothing, from then on, if the system did
  /// not report all: it limits how many folders are watched, and how many reports wait.
  [[nodiscard]] std::optional<std::vector<Arrival>> arrivals(std::chrono::milliseconds most);

 private:
  void watch(const std::filesystem::path& folder);
  void watch_all(const std::filesystem::path& folder);

  FileHandle reports_;
  std::unordered_map<int, std::filesystem::path> folders_;  ///< by the numbers of their watches
  bool is_complete_ = true;
};

}  // namespace akin::cli
