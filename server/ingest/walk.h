// Selects the input files, and gives each an id.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace akin::ingest {

/// A file to index.
struct InputFile {
  std::filesystem::path path;  ///< "-" is standard input
  std::string id;
  std::uint64_t bytes = 0;  ///< from the folder listing; for progress only
};

/// The result of a walk over the arguments.
struct InputList {
  std::vector<InputFile> files;  ///< arguments in their order; within a folder in byte order of the names
  std::uint64_t hidden = 0;      ///< files and folders below an argument that is_passed_over names
  std::uint64_t other =
      0;  ///< below an argument: links to folders, sockets, devices, pipes, akin's data folder
  std::vector<Error>
      refused;  ///< below an argument: dangling links, folders that cannot be read, names not UTF-8

  /// Of all files together.
  [[nodiscard]] std::uint64_t bytes() const noexcept;
};

/// Takes files as given, and folders recursively. The id of a file below a folder is its path relative to
/// that folder, with '/' between the parts; that of a file given as an argument is its name. Links to files
/// are followed, links to folders only if they are arguments, so the walk ends. `data_folder` is left out.
/// Errors: not_found for a missing argument; already_exists if two files claim the same id (both are named);
/// invalid_argument if standard input has no `given_id`, or if `given_id` is used with other than exactly one
/// file.
[[nodiscard]] Result<InputList> collect_inputs(const std::vector<std::filesystem::path>& arguments,
                                               const std::string& given_id,
                                               const std::filesystem::path& data_folder);

}  // namespace akin::ingest
