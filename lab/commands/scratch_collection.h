// A collection that a command makes for itself and removes when it ends.
#pragma once

#include <filesystem>

#include "cli/frame/workspace.h"

namespace akin::cli {

/// A folder that only this user can read, in the folder for temporary files ($TMPDIR, else /tmp). The
/// destructor removes it with its contents.
class ScratchFolder {
 public:
  /// Error: io.
  [[nodiscard]] static Result<ScratchFolder> make();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  ///< empty after a move
};

/// An empty collection in a folder of its own, with texts.
class ScratchCollection {
 public:
  /// With the scheme and dictionaries of `options`; without a scheme, that of every new collection. Errors:
  /// as ScratchFolder::make and open_or_create_collection.
  [[nodiscard]] static Result<ScratchCollection> make(const CommonOptions& options);

  Collection* operator->() const noexcept { return collection_.collection.get(); }
  Collection& operator*() const noexcept { return *collection_; }

 private:
  ScratchCollection(ScratchFolder folder, OpenCollection collection)
      : folder_(std::move(folder)), collection_(std::move(collection)) {}

  ScratchFolder folder_;  ///< before the collection, so that it is removed after that is closed
  OpenCollection collection_;
};

}  // namespace akin::cli
