// The table `meta` of a store, read from its data file without opening the environment.
//
// Opening makes files, takes about a millisecond, two descriptors and a map, and needs every table. A list of
// thousands of collections, and the check of the format, need only the entries of `meta`. So this reads the
// two or three pages concerned into memory of its own, which a writer cannot change under the reader and
// damage cannot lead astray (page_file.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin {

struct MetaTable {
  std::map<std::string, std::string, std::less<>> entries;
  std::optional<std::uint64_t> tombstones;  ///< nothing if the file does not have that table
  std::uint64_t file_bytes = 0;
  bool is_whole = false;  ///< the file has all pages that its state requires
};

/// As of one committed transaction: a reader registers nowhere, so it checks afterwards that no later
/// transaction can have reused the pages that it read, and repeats if so. Nothing if the file cannot be read,
/// or is damaged: opening the store then gives the reason.
[[nodiscard]] std::optional<MetaTable> read_meta_table(const std::filesystem::path& store_folder);

/// Refuses an index of another format than this akin's, given its entry `format`. Errors: mismatch; corrupt
/// (it is not an index of akin).
[[nodiscard]] Result<void> check_format(std::string_view entry, const std::filesystem::path& store_folder);
/// The same, if the entry can be read from the file. Changes nothing in the folder.
[[nodiscard]] Result<void> check_format(const std::filesystem::path& store_folder);

}  // namespace akin
