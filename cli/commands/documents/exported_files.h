// The files that documents were read from, in a folder: each under the id of its document.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace akin::cli {

class ExportedFiles {
 public:
  /// Makes the folder, whose parent exists; one that exists must be empty. Errors: already_exists, io,
  /// disk_full, not_found.
  [[nodiscard]] static Result<ExportedFiles> open(const std::filesystem::path& folder);

  /// Writes folder/ID; what comes before a slash in the id are folders. Errors: invalid_argument (the id is
  /// not the path of a file within the folder, or another file is in its way): the others can still be
  /// written; io, disk_full.
  [[nodiscard]] Result<void> write(std::string_view id, std::string_view bytes);

  [[nodiscard]] std::uint64_t files() const noexcept { return files_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  explicit ExportedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  std::uint64_t files_ = 0, bytes_ = 0;  ///< written
};

}  // namespace akin::cli
