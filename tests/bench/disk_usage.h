// What a store takes on the disk, table by table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace akin::bench {

struct TableUsage {
  std::string name;
  std::uint64_t bytes = 0;  ///< of all its pages
};

struct DiskUsage {
  std::vector<TableUsage> tables;
  std::uint64_t total = 0;  ///< of all files, free pages and locks too

  /// Bytes of the table of original texts.
  [[nodiscard]] std::uint64_t texts() const noexcept;
  /// Bytes of the tables that find documents by feature: all that hold neither documents nor figures about
  /// them.
  [[nodiscard]] std::uint64_t postings() const noexcept;
};

/// Reads the environment in `folder` with plain LMDB. Requires that this process has not opened it. Throws
/// std::runtime_error.
[[nodiscard]] DiskUsage disk_usage(const std::filesystem::path& folder);

}  // namespace akin::bench
