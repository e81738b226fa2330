// Large files written once, with their length and SHA-256 (FIPS 180-4).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "index/collection/backup.h"

namespace akin {

class HashedFile {
 public:
  /// Creates the file, which only its owner may read unless `mode` says otherwise. Errors: already_exists,
  /// not_found (its folder), disk_full, io.
  [[nodiscard]] static Result<HashedFile> make(const std::filesystem::path& path, mode_t mode = 0600);

  [[nodiscard]] Result<void> write(std::string_view bytes);
  /// Syncs it to the disk. No call may follow.
  [[nodiscard]] Result<FileDigest> finish();

 private:
  struct FreeState {
    void operator()(void* state) const noexcept;
  };
  HashedFile(std::filesystem::path path, FileHandle file, void* state)
      : path_(std::move(path)), file_(std::move(file)), state_(state) {}

  std::filesystem::path path_;
  FileHandle file_;
  std::unique_ptr<void, FreeState> state_;  ///< of the hash
  std::uint64_t bytes_ = 0;
};

}  // namespace akin
