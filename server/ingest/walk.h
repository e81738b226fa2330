// Which files are taken, and the id each one gets.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace akin::ingest {

/// A file to be indexed.
struct InputFile {
  std::filesystem::path path;  ///< "-" is standard input
  std::string id;
  std::uint64_t bytes = 0;  ///< as the folder listing says; for progress only
};

/// What a walk over the arguments found.
struct InputList {
  std::vector<InputFile> files;  ///< arguments in their order; within a folder in byte order of the names
  std::uint64_t hidden = 0;      ///< files and folders below an argument whose name starts with a dot
  std::uint64_t other =
      0;  ///< below an argument: links to folders, sockets, devices, pipes, akin's data folder
  std::vector<Error>
      refused;  ///< below an argument: dangling links, folders that cannot be read, names not UTF-8
};

/// Takes files as they are and folders recursively. The id of a file below a folder is its path relative to
/// that folder, with '/' between the parts; of a file named itself, its name. Links to files are followed,
/// links to folders only when they are arguments, so the walk ends. `data_folder` is left out. Errors:
/// not_found for an argument that is not there; already_exists when two files claim one id (both are named);
/// invalid_argument when standard input comes without `given_id` or `given_id` is not for exactly one file.
[[nodiscard]] Result<InputList> collect_inputs(const std::vector<std::filesystem::path>& arguments,
                                               const std::string& given_id,
                                               const std::filesystem::path& data_folder);

}  // namespace akin::ingest
